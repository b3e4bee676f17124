// SPDX-License-Identifier: Apache-2.0
#include "petal/memory/hbm.hpp"

#include "petal/memory/memory_access.hpp"

namespace petal {

Hbm::Hbm(const sc_core::sc_module_name& name, const HbmConfig& config,
         const std::shared_ptr<const SparseMemory>& image)
    : sc_module(name), socket("socket"), timing_(config), capacity_(config.capacity.count()) {
  socket.register_b_transport(this, &Hbm::b_transport);
  socket.register_transport_dbg(this, &Hbm::transport_dbg);
  if (image) contents_ = std::make_unique<SparseMemory>(this->name(), capacity_, image);
}

bool Hbm::contains(const AccessPattern& access) const {
  return access.address <= capacity_ && access.extent() <= capacity_ - access.address;
}

void Hbm::b_transport(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  MemoryAccess* access = nullptr;
  payload.get_extension(access);
  AccessPattern contiguous;
  contiguous.address = payload.get_address();
  contiguous.run_bytes = payload.get_data_length();
  const AccessPattern& pattern = access != nullptr ? *access->pattern : contiguous;
  if (!contains(pattern)) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  if (access != nullptr) {
    access->honoured = true;
    access->moved = timing_.reserve(access->arrival, pattern);
    access->latency = timing_.latency();
  } else {
    const Picoseconds arrival = host_time_.to_ledger(sc_core::sc_time_stamp() + delay);
    delay += host_time_.from_ledger(timing_.reserve(arrival, pattern) + timing_.latency() - arrival);
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

bool Hbm::move(const tlm::tlm_generic_payload& payload, std::uint64_t address, std::byte* data,
               std::uint64_t bytes) {
  if (!contents_ || address > capacity_ || bytes > capacity_ - address) return false;
  if (payload.is_read()) {
    contents_->read(address, data, bytes);
  } else {
    contents_->write(address, data, bytes);
    written_.add(address, address + bytes);
  }
  return true;
}

unsigned int Hbm::transport_dbg(int, tlm::tlm_generic_payload& payload) {
  auto* data = reinterpret_cast<std::byte*>(payload.get_data_ptr());
  MemoryAccess* access = nullptr;
  payload.get_extension(access);
  if (access == nullptr)
    return move(payload, payload.get_address(), data, payload.get_data_length()) ? payload.get_data_length()
                                                                                 : 0;
  access->honoured = contents_ != nullptr && contains(*access->pattern);
  if (!access->honoured) return 0;
  access->pattern->for_each_run([&](std::uint64_t address, std::uint64_t bytes) {
    move(payload, address, data, bytes);
    data += bytes;
  });
  return static_cast<unsigned int>(access->pattern->bytes().count());
}

}  // namespace petal
