// SPDX-License-Identifier: Apache-2.0
#include "support/bus_memory.hpp"

#include <algorithm>

namespace petal::test {

sc_core::sc_time BusMemory::serve(tlm::tlm_generic_payload& payload, const sc_core::sc_time& arrival) {
  check_attributes(payload);
  seen_.push_back({arrival, payload.get_command(), payload.get_address(), payload.get_data_length()});
  const std::size_t number = seen_.size();
  const auto failure_at = failures_at_.find(payload.get_address());
  if (failure_at != failures_at_.end())
    payload.set_response_status(failure_at->second);
  else if (failures_.count(number) != 0)
    payload.set_response_status(failures_[number]);
  else if (ignored_.count(number) == 0)
    move(payload);
  free_at_ = std::max(free_at_, arrival) + config_.service;
  const auto latency_at = latencies_at_.find(payload.get_address());
  if (latency_at != latencies_at_.end()) return free_at_ + latency_at->second;
  return free_at_ + (latencies_.count(number) != 0 ? latencies_[number] : config_.latency);
}

bool BusMemory::holds(std::uint64_t address, std::uint64_t bytes) const {
  return address >= config_.base && address - config_.base <= config_.bytes &&
         bytes <= config_.bytes - (address - config_.base);
}

void BusMemory::violation(const std::string& what) {
  violations_.push_back(sc_core::sc_time_stamp().to_string() + ": " + what);
}

void BusMemory::check_attributes(const tlm::tlm_generic_payload& payload) {
  const auto require = [&](bool holds, const char* what) {
    if (!holds) violation(what);
  };
  require(payload.is_read() || payload.is_write(), "the command is neither a read nor a write");
  require(payload.get_data_ptr() != nullptr, "there is no data pointer");
  require(payload.get_data_length() > 0, "the data length is 0");
  require(payload.get_streaming_width() == payload.get_data_length(),
          "the streaming width is not the length");
  require((payload.get_byte_enable_ptr() == nullptr) == (payload.get_byte_enable_length() == 0),
          "byte enables have a pointer without a length, or a length without a pointer");
  require(!payload.is_dmi_allowed(), "the hint for direct access is set");
  require(payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE, "the status is not INCOMPLETE");
  require(payload.has_mm(), "there is no memory manager");
  require(payload.get_ref_count() > 0, "nobody holds the payload");
}

void BusMemory::move(tlm::tlm_generic_payload& payload) {
  if (!holds(payload.get_address(), payload.get_data_length())) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  unsigned char* const memory = contents_.data() + (payload.get_address() - config_.base);
  const unsigned char* const enables = payload.get_byte_enable_ptr();
  for (unsigned int byte = 0; byte < payload.get_data_length(); ++byte) {
    if (enables != nullptr && enables[byte % payload.get_byte_enable_length()] != TLM_BYTE_ENABLED) continue;
    if (payload.is_read())
      payload.get_data_ptr()[byte] = memory[byte];
    else
      memory[byte] = payload.get_data_ptr()[byte];
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

}  // namespace petal::test
