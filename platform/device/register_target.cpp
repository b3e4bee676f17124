// SPDX-License-Identifier: Apache-2.0
#include "petal/device/register_target.hpp"

namespace petal {

RegisterTarget::RegisterTarget(const sc_core::sc_module_name& name, const RegisterTargetConfig& config,
                               RegisterBackend& backend, ByteMemory* tcm)
    : sc_module(name),
      socket("socket"),
      register_latency_(HostTime().from_ledger(config.register_latency)),
      tcm_latency_(HostTime().from_ledger(config.tcm_latency)),
      backend_(backend),
      tcm_(kTcmWindowOffset, config.tcm.count(), tcm),
      queue_("queue", this, &RegisterTarget::on_phase) {
  socket.bind(*this);
}

void RegisterTarget::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  delay += access(payload, delay);
}

/// Does what the payload asks for, `delay` from now, and sets its response. Returns how long that takes.
sc_core::sc_time RegisterTarget::access(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  const bool in_tcm = tcm_.contains(payload.get_address(), payload.get_data_length());
  if (in_tcm) payload.set_dmi_allowed(true);
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND)
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  else
    payload.set_response_status(in_tcm ? tcm_.access(payload) : access_registers(payload, delay));
  return in_tcm ? tcm_latency_ : register_latency_;
}

tlm::tlm_response_status RegisterTarget::access_registers(tlm::tlm_generic_payload& payload,
                                                          const sc_core::sc_time& delay) {
  const RegisterAccess access = register_access_of(payload);
  for (std::size_t i = 0; i < access.count; ++i) {
    if (payload.is_read())
      read(access.parts.at(i), payload.get_data_ptr());
    else
      write(access.parts.at(i), payload.get_data_ptr(), delay);
  }
  return access.status;
}

void RegisterTarget::read(const RegisterPart& part, unsigned char* data) const {
  const std::uint32_t value = backend_.read(part.id) & info_of(part.id).readable_mask();
  for (std::size_t byte = 0; byte < part.bytes; ++byte)
    data[part.data_offset + byte] = static_cast<unsigned char>(value >> (8 * (part.register_offset + byte)));
}

void RegisterTarget::write(const RegisterPart& part, const unsigned char* data,
                           const sc_core::sc_time& delay) {
  std::uint32_t value = 0;
  for (std::size_t byte = 0; byte < part.bytes; ++byte)
    value |= std::uint32_t{data[part.data_offset + byte]} << (8 * byte);
  backend_.write(part.id, value, delay);
}

unsigned int RegisterTarget::transport_dbg(tlm::tlm_generic_payload& payload) {
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return 0;
  if (tcm_.contains(payload.get_address(), payload.get_data_length())) return tcm_.debug_access(payload);
  if (payload.is_write()) return 0;
  const RegisterAccess access = register_debug_access_of(payload);
  for (std::size_t i = 0; i < access.count; ++i) read(access.parts.at(i), payload.get_data_ptr());
  return access.count == 0 ? 0 : payload.get_data_length();
}

// A refusal covers the whole part of the address space, so that the host need not ask again.
void RegisterTarget::refuse(std::uint64_t address, tlm::tlm_dmi& dmi) const {
  const std::uint64_t begin = tcm_.base();
  const std::uint64_t end = begin + tcm_.bytes();
  dmi.allow_none();
  dmi.set_start_address(address < begin ? 0 : address < end ? begin : end);
  dmi.set_end_address(address < begin ? begin - 1 : address < end ? end - 1 : ~std::uint64_t{0});
}

bool RegisterTarget::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  const std::uint64_t address = payload.get_address();
  std::byte* const memory = tcm_.contains(address, 1) ? tcm_.direct() : nullptr;
  if (memory == nullptr) {
    refuse(address, dmi);
    return false;
  }
  dmi.set_dmi_ptr(reinterpret_cast<unsigned char*>(memory));
  dmi.set_start_address(tcm_.base());
  dmi.set_end_address(tcm_.base() + tcm_.bytes() - 1);
  dmi.allow_read_write();
  dmi.set_read_latency(tcm_latency_);
  dmi.set_write_latency(tcm_latency_);
  return true;
}

}  // namespace petal
