// SPDX-License-Identifier: Apache-2.0
#include "petal/bus/dmi_regions.hpp"

#include <algorithm>
#include <cstring>

namespace petal {
namespace {

bool grants(const tlm::tlm_dmi& region, const BurstPayload& payload) {
  const Burst& burst = payload.burst();
  const std::uint64_t last = burst.address + (burst.bytes - 1);
  return (payload.is_read() ? region.is_read_allowed() : region.is_write_allowed()) &&
         region.get_start_address() <= burst.address && last <= region.get_end_address();
}

}  // namespace

void DmiRegions::add(const tlm::tlm_dmi& grant, const BurstPayload& payload) {
  const std::uint64_t address = payload.burst().address;
  if (grant.get_dmi_ptr() == nullptr || grant.get_start_address() > address ||
      grant.get_end_address() < address)
    return;
  if (!(payload.is_read() ? grant.is_read_allowed() : grant.is_write_allowed())) return;
  if (regions_.size() == kMostRegions) regions_.erase(regions_.begin());
  regions_.push_back(grant);
}

void DmiRegions::invalidate(std::uint64_t begin, std::uint64_t end) {
  const auto overlaps = [&](const tlm::tlm_dmi& region) {
    return region.get_start_address() <= end && begin <= region.get_end_address();
  };
  regions_.erase(std::remove_if(regions_.begin(), regions_.end(), overlaps), regions_.end());
}

const tlm::tlm_dmi* DmiRegions::find(const BurstPayload& payload) const {
  const auto found = std::find_if(regions_.begin(), regions_.end(),
                                  [&](const tlm::tlm_dmi& region) { return grants(region, payload); });
  return found == regions_.end() ? nullptr : &*found;
}

bool DmiRegions::transfer(BurstPayload& payload, sc_core::sc_time& latency) const {
  const tlm::tlm_dmi* const region = find(payload);
  if (region == nullptr) return false;
  latency = payload.is_read() ? region->get_read_latency() : region->get_write_latency();
  if (use_ == DmiUse::timed && latency == sc_core::SC_ZERO_TIME) return false;
  const Burst& burst = payload.burst();
  unsigned char* const memory = region->get_dmi_ptr() + (burst.address - region->get_start_address());
  if (payload.is_read())
    std::memcpy(payload.get_data_ptr(), memory, burst.bytes);
  else if (payload.get_byte_enable_ptr() == nullptr)
    std::memcpy(memory, payload.get_data_ptr(), burst.bytes);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  return true;
}

}  // namespace petal
