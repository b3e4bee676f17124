// SPDX-License-Identifier: Apache-2.0
#include "petal/engines/burst_dma_engine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "petal/command/error.hpp"
#include "petal/numerics/run_pairs.hpp"

namespace petal {

// --- A transfer ---

void BurstDmaEngine::Transfer::begin(tlm::tlm_generic_payload& payload, StageExtension& stage) {
  payload_ = &payload;
  stage_ = &stage;
  stage.transfer = index_;
  stage.fault_address = 0;
  command = stage.stage.kind == StageKind::dma_read ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND;
  pattern = stage.stage.access;
  data = nullptr;
  if (engine_.tcm_ == nullptr) return;
  const bool is_write = command == tlm::TLM_WRITE_COMMAND;
  if (is_write && stage.data == nullptr) return;  // timed, not computed
  bytes_.resize(pattern.bytes().count());
  data = bytes_.data();
}

std::byte* BurstDmaEngine::Transfer::at(std::uint64_t address, std::uint64_t bytes) {
  const auto offset = pattern.offset_of(address, bytes);
  if (!offset)
    throw SimulationError(fmt::format("HBM address {:#x}: {} bytes are not part of the transfer at {:#x}",
                                      address, bytes, pattern.address));
  return bytes_.data() + *offset;
}

void BurstDmaEngine::Transfer::accepted() {
  tell(tlm::END_REQ);
}

void BurstDmaEngine::Transfer::answered() {
  payload_->set_response_status(status);
  stage_->fault_address = fault_address;
  tell(tlm::BEGIN_RESP);
}

void BurstDmaEngine::Transfer::tell(tlm::tlm_phase phase) {
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  engine_.socket->nb_transport_bw(*payload_, phase, delay);
}

// --- The engine ---

BurstDmaEngine::BurstDmaEngine(const sc_core::sc_module_name& name, const DmaConfig& config,
                               ClockFrequency clock, BusInitiator& bus, ByteMemory* tcm)
    : Engine(name),
      setup_(HostTime().from_ledger(clock.duration_of(Cycles(config.setup_cycles)))),
      bus_(bus),
      tcm_(tcm) {}

BurstDmaEngine::Transfer& BurstDmaEngine::free_transfer() {
  const auto free = std::find_if(transfers_.begin(), transfers_.end(),
                                 [](const Transfer& transfer) { return transfer.is_free(); });
  if (free != transfers_.end()) return *free;
  return transfers_.emplace_back(*this, static_cast<std::uint32_t>(transfers_.size()));
}

tlm::tlm_sync_enum BurstDmaEngine::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                   sc_core::sc_time&) {
  StageExtension* stage = nullptr;
  payload.get_extension(stage);
  if (stage == nullptr) {
    payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  if (phase == tlm::END_RESP) {
    transfers_[stage->transfer].end();
    return tlm::TLM_COMPLETED;
  }
  return start(payload, *stage);
}

tlm::tlm_sync_enum BurstDmaEngine::start(tlm::tlm_generic_payload& payload, StageExtension& stage) {
  Transfer& transfer = free_transfer();
  transfer.begin(payload, stage);
  const bool is_read = transfer.command == tlm::TLM_READ_COMMAND;
  try {
    if (!is_read && transfer.data != nullptr) collect(*stage.data, transfer);
  } catch (const std::exception&) {
    transfer.end();
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  bus_.submit(is_read ? BusChannel::dma_read : BusChannel::dma_write, transfer, setup_);
  return tlm::TLM_ACCEPTED;
}

void BurstDmaEngine::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
}

StageTiming BurstDmaEngine::begin(const Stage&, Picoseconds start, tlm::tlm_generic_payload&) {
  return {start, start};
}

/// What a DMA_WRITE moves, from the TCM: it leaves when the stage starts.
void BurstDmaEngine::collect(const StageData& data, Transfer& transfer) const {
  const RunPairs pairs(data.views.reads[0], *data.views.write);
  for (std::uint64_t index = 0; index < pairs.runs(); ++index) {
    const RunPairs::Addresses run = pairs.run(index);
    tcm_->read(run.from, transfer.at(run.to, pairs.run_bytes()), pairs.run_bytes());
  }
}

// What a DMA_READ has moved is in the TCM when the stage ends.
void BurstDmaEngine::perform(const StageData& data, const StageExtension& stage) {
  if (stage.stage.kind != StageKind::dma_read) return;
  Transfer& transfer = transfers_[stage.transfer];
  const RunPairs pairs(data.views.reads[0], *data.views.write);
  for (std::uint64_t index = 0; index < pairs.runs(); ++index) {
    const RunPairs::Addresses run = pairs.run(index);
    tcm_->write(run.to, transfer.at(run.from, pairs.run_bytes()), pairs.run_bytes());
  }
}

void BurstDmaEngine::reset() {
  for (Transfer& transfer : transfers_) transfer.end();
}

}  // namespace petal
