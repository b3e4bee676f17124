// SPDX-License-Identifier: Apache-2.0
#include "petal/engines/dma_engine.hpp"

#include <fmt/format.h>

#include "petal/command/error.hpp"
#include "petal/numerics/run_pairs.hpp"

namespace petal {

DmaEngine::DmaEngine(const sc_core::sc_module_name& name, const DmaConfig& config, ClockFrequency clock,
                     ByteMemory* tcm)
    : Engine(name), memory("memory"), config_(config), clock_(clock), tcm_(tcm) {
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

// The data has no timed transaction of its own: it takes the time that `begin` has reserved for it, and is
// there when the stage ends.
void DmaEngine::perform(const StageData& data, const StageExtension&) {
  const TensorHandle& from = data.views.reads[0];
  const RunPairs pairs(from, *data.views.write);
  const bool is_read = from.space == Space::hbm;
  const tlm::tlm_command command = is_read ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND;
  const auto pattern = is_read ? pairs.gathered() : pairs.scattered();
  if (pattern && move_pattern(command, *pattern, is_read ? data.views.write->address : from.address)) return;
  const std::uint64_t bytes = pairs.run_bytes();
  buffer_.resize(bytes);
  for (std::uint64_t index = 0; index < pairs.runs(); ++index) {
    const RunPairs::Addresses run = pairs.run(index);
    if (!is_read) tcm_->read(run.from, buffer_.data(), bytes);
    move_run(command, is_read ? run.from : run.to, buffer_.data(), bytes);
    if (is_read) tcm_->write(run.to, buffer_.data(), bytes);
  }
}

/// All of a stage's runs in one transaction, which a memory of PETAL's understands. False if this one does
/// not, or the TCM does not hold the data in one piece.
bool DmaEngine::move_pattern(tlm::tlm_command command, const AccessPattern& pattern,
                             std::uint64_t tcm_address) {
  const std::uint64_t bytes = pattern.bytes().count();
  std::byte* const data = tcm_->view_for_writing(tcm_address, bytes);
  if (data == nullptr) return false;
  access_.pattern = &pattern;
  access_.honoured = false;
  request_.set_command(command);
  request_.set_address(pattern.address);
  request_.set_data_ptr(reinterpret_cast<unsigned char*>(data));
  request_.set_data_length(0);
  memory->transport_dbg(request_);
  return access_.honoured;
}

void DmaEngine::move_run(tlm::tlm_command command, std::uint64_t address, std::byte* data,
                         std::uint64_t bytes) {
  move_.set_command(command);
  move_.set_address(address);
  move_.set_data_ptr(reinterpret_cast<unsigned char*>(data));
  move_.set_data_length(static_cast<unsigned int>(bytes));
  move_.set_streaming_width(move_.get_data_length());
  const unsigned int moved = memory->transport_dbg(move_);
  if (moved != bytes)
    throw SimulationError(fmt::format(
        "HBM address {:#x}: the memory moved {} of {} bytes; it holds no data there", address, moved, bytes));
}

tlm::tlm_sync_enum DmaEngine::nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) {
  return tlm::TLM_ACCEPTED;
}

void DmaEngine::invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) {}

}  // namespace petal
