// SPDX-License-Identifier: Apache-2.0
#include "petal/memory/hbm.hpp"

namespace petal {

Hbm::Hbm(const sc_core::sc_module_name& name, const HbmConfig& config,
         const std::shared_ptr<const SparseMemory>& image)
    : sc_module(name),
      socket("socket"),
      timing_(config),
      capacity_(config.capacity.count()),
      responses_("responses", [this](int requester) { return socket[requester]; }) {
  socket.register_b_transport(this, &Hbm::b_transport);
  socket.register_nb_transport_fw(this, &Hbm::nb_transport_fw);
  socket.register_transport_dbg(this, &Hbm::transport_dbg);
  if (image) contents_ = std::make_unique<SparseMemory>(this->name(), capacity_, image);
}

bool Hbm::contains(const AccessPattern& access) const {
  return access.address <= capacity_ && access.extent() <= capacity_ - access.address;
}

void Hbm::b_transport(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  MemoryAccess* access = nullptr;
  payload.get_extension(access);
  if (access != nullptr)
    time_access(payload, *access);
  else
    serve(payload, delay);
}

void Hbm::time_access(tlm::tlm_generic_payload& payload, MemoryAccess& access) {
  if (!contains(*access.pattern)) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  access.honoured = true;
  access.moved = timing_.reserve(access.arrival, *access.pattern);
  access.latency = timing_.latency();
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

tlm::tlm_sync_enum Hbm::nb_transport_fw(int requester, tlm::tlm_generic_payload& payload,
                                        tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase == tlm::END_RESP) {
    responses_.end(requester, payload, delay);
    return tlm::TLM_COMPLETED;
  }
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
  sc_core::sc_time answer = delay;
  serve(payload, answer);
  if (!payload.is_response_ok() || answer == delay) return tlm::TLM_COMPLETED;
  responses_.add(requester, payload, answer);
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

/// A plain access, which arrives when `delay` has passed; `delay` becomes the time of its answer.
void Hbm::serve(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  payload.set_response_status(fault_of(payload));
  if (!payload.is_response_ok() || payload.get_command() == tlm::TLM_IGNORE_COMMAND) return;
  AccessPattern access;
  access.address = payload.get_address();
  access.run_bytes = payload.get_data_length();
  const Picoseconds arrival = host_time_.to_ledger(sc_core::sc_time_stamp() + delay);
  delay += host_time_.from_ledger(timing_.reserve(arrival, access) + timing_.latency() - arrival);
  move_enabled(payload);
}

/// TLM_OK_RESPONSE, or what is wrong with a plain access.
tlm::tlm_response_status Hbm::fault_of(const tlm::tlm_generic_payload& payload) const {
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return tlm::TLM_OK_RESPONSE;
  const std::uint64_t bytes = payload.get_data_length();
  if (bytes == 0 || payload.get_streaming_width() < bytes) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (payload.get_address() > capacity_ || bytes > capacity_ - payload.get_address())
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (payload.get_byte_enable_ptr() != nullptr && payload.get_byte_enable_length() == 0)
    return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (contents_ && payload.get_data_ptr() == nullptr) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

/// Moves each run of enabled bytes.
void Hbm::move_enabled(const tlm::tlm_generic_payload& payload) {
  const unsigned char* const enables = payload.get_byte_enable_ptr();
  const std::uint64_t length = payload.get_data_length();
  const auto is_enabled = [&](std::uint64_t byte) {
    return enables == nullptr || enables[byte % payload.get_byte_enable_length()] == TLM_BYTE_ENABLED;
  };
  auto* const data = reinterpret_cast<std::byte*>(payload.get_data_ptr());
  for (std::uint64_t begin = 0; contents_ && begin < length;) {
    std::uint64_t end = enables == nullptr ? length : begin;
    while (end < length && is_enabled(end)) ++end;
    if (end > begin) move(payload, payload.get_address() + begin, data + begin, end - begin);
    begin = end + 1;
  }
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
