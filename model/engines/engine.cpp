// SPDX-License-Identifier: Apache-2.0
#include "petal/engines/engine.hpp"

namespace petal {

Engine::Engine(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
  socket.bind(*this);
}

const StageExtension* Engine::begin_stage(tlm::tlm_generic_payload& payload) {
  StageExtension* extension = nullptr;
  payload.get_extension(extension);
  if (extension == nullptr) {
    payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    return nullptr;
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  extension->timing = begin(extension->stage, extension->start, payload);
  return extension;
}

tlm::tlm_sync_enum Engine::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase&,
                                           sc_core::sc_time&) {
  begin_stage(payload);
  return tlm::TLM_COMPLETED;
}

void Engine::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const StageExtension* const extension = begin_stage(payload);
  if (extension != nullptr) delay += host_time_.from_ledger(extension->timing.end - extension->start);
}

bool Engine::get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) {
  return false;
}

unsigned int Engine::transport_dbg(tlm::tlm_generic_payload& payload) {
  StageExtension* extension = nullptr;
  payload.get_extension(extension);
  if (extension == nullptr || extension->data == nullptr) return 0;
  perform(*extension->data, *extension);
  return 1;
}

}  // namespace petal
