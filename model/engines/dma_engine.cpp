// SPDX-License-Identifier: Apache-2.0
#include "petal/engines/dma_engine.hpp"

namespace petal {

DmaEngine::DmaEngine(const sc_core::sc_module_name& name, const DmaConfig& config, ClockFrequency clock)
    : Engine(name), memory("memory"), config_(config), clock_(clock) {
  memory.bind(*this);
  request_.set_extension(&access_);
}

DmaEngine::~DmaEngine() {
  request_.clear_extension(&access_);
}

StageTiming DmaEngine::begin(const Stage& stage, Picoseconds start, tlm::tlm_generic_payload& payload) {
  const Picoseconds arrival = start + clock_.duration_of(Cycles(config_.setup_cycles));
  access_.pattern = &stage.access;
  access_.arrival = arrival;
  access_.honoured = false;
  request_.set_command(stage.kind == StageKind::dma_read ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
  request_.set_address(stage.access.address);
  request_.set_data_length(0);
  request_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  memory->b_transport(request_, delay);
  payload.set_response_status(request_.get_response_status());
  if (!access_.honoured) {
    if (payload.is_response_ok()) payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return {arrival, arrival};
  }
  return {access_.moved, access_.moved + access_.latency};
}

tlm::tlm_sync_enum DmaEngine::nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) {
  return tlm::TLM_ACCEPTED;
}

void DmaEngine::invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) {}

}  // namespace petal
