// SPDX-License-Identifier: Apache-2.0
#include "petal/platform/pe.hpp"

#include <fmt/format.h>

#include "petal/command/error.hpp"
#include "petal/memory/dense_memory.hpp"
#include "petal/memory/sparse_memory.hpp"

namespace petal {
namespace {

/// Bytes nobody has written read as NaN. A TCM that no PE could have, as of a study of one huge tile, takes
/// host memory only where it is used.
std::unique_ptr<ByteMemory> make_tcm(const PeConfig& config) {
  constexpr std::uint64_t kLargeTcm = std::uint64_t{1} << 28U;
  const std::string name = fmt::format("TCM of PE '{}'", config.name);
  const Bytes capacity = config.tcm.arena + StagingLayout(config.scheduler, config.tcm).total();
  if (capacity.count() > kLargeTcm)
    return std::make_unique<SparseMemory>(name, capacity.count(), DenseMemory::kNeverWritten);
  return std::make_unique<DenseMemory>(name, capacity.count());
}

}  // namespace

PeBuildOrder default_build_order() {
  return {PePart::cpu, PePart::scheduler, PePart::dma, PePart::fetch_store, PePart::gemm, PePart::math};
}

Pe::Pe(const sc_core::sc_module_name& name, PeIndex index, const PeConfig& config, CalendarDriver& driver,
       const IssueUnit::Finished& finished, const PeOptions& options)
    : sc_module(name),
      index_(index),
      config_(config),
      driver_(driver),
      on_failure_(options.on_failure),
      queue_("command_queue", config.cpu.queue_bytes, calendar_) {
  if (options.data_mode == DataMode::on) tcm_ = make_tcm(config);
  if (config.dma.interface == DmaInterface::bursts) {
    if (driver.pacing() != Pacing::lockstep)
      throw ConfigError(fmt::format(
          "PE '{}': its DMA makes bursts, whose answers come from outside; use a CalendarDriver with "
          "Pacing::lockstep",
          config.name));
    bus_ = std::make_unique<BusInitiator>("bus", config.dma.bus);
  }
  for (const PePart part : options.build_order) build(part, index, finished);
  connect();
  driver.drive(calendar_);
  queue_.set_level_listener([this, index](std::uint64_t bytes, std::uint32_t entries) {
    if (!events_.empty())
      events_.report(&Observer::on_queue_level, QueueLevelEvent{index, bytes, entries, calendar_.now()});
  });
}

void Pe::build_dma() {
  if (bus_)
    burst_dma_ = std::make_unique<BurstDmaEngine>("pe_dma", config_.dma, config_.clock, *bus_, tcm_.get());
  else
    dma_ = std::make_unique<DmaEngine>("pe_dma", config_.dma, config_.clock, tcm_.get());
}

void Pe::build(PePart part, PeIndex index, const IssueUnit::Finished& finished) {
  const ClockFrequency clock = config_.clock;
  switch (part) {
    case PePart::cpu:
      cpu_ = std::make_unique<PeCpu>("pe_cpu", IssueUnitConfig{index, clock, config_.cost, config_.cpu},
                                     calendar_, driver_, events_, finished);
      break;
    case PePart::scheduler:
      scheduler_ = std::make_unique<PeScheduler>(
          "pe_scheduler",
          PeSchedulerSetup{index, clock, config_.scheduler, config_.tcm, config_.compute_slot,
                           config_.dma.outstanding, tcm_ != nullptr, bus_ != nullptr, on_failure_},
          calendar_, driver_, events_);
      break;
    case PePart::dma:
      if (config_.engines.dma) build_dma();
      break;
    case PePart::fetch_store:
      if (config_.engines.fetch_store)
        fetch_store_ =
            std::make_unique<FetchStoreEngine>("pe_fetch_store", config_.fetch_store, clock, tcm_.get());
      break;
    case PePart::gemm:
      if (config_.engines.gemm) gemm_ = std::make_unique<GemmEngine>("pe_gemm", config_.gemm, clock);
      break;
    case PePart::math:
      if (config_.engines.math) math_ = std::make_unique<MathEngine>("pe_math", config_.math, clock);
      break;
  }
}

void Pe::connect() {
  cpu_->queue.bind(queue_);
  scheduler_->queue.bind(queue_);
  scheduler_->completion.bind(cpu_->completion);
  if (dma_) scheduler_->dma.bind(dma_->socket);
  if (burst_dma_) scheduler_->dma.bind(burst_dma_->socket);
  if (fetch_store_) scheduler_->fetch_store.bind(fetch_store_->socket);
  if (gemm_) scheduler_->gemm.bind(gemm_->socket);
  if (math_) scheduler_->math.bind(math_->socket);
}

tlm::tlm_initiator_socket<64>* Pe::memory_socket() {
  if (bus_) return &bus_->socket;
  return dma_ ? &dma_->memory : nullptr;
}

void Pe::reset(CompletionId latest, const std::function<void()>& drained) {
  const Picoseconds at = present();
  calendar_.clear();
  calendar_.advance(at);
  driver_.wake();
  queue_.clear();
  scheduler_->reset();
  cpu_->reset(latest);
  if (!events_.empty()) events_.report(&Observer::on_reset, ResetEvent{index_, at});
  if (!bus_) return drained();
  bus_->reset();
  bus_->on_drained([this, drained] {
    if (burst_dma_) burst_dma_->reset();
    drained();
  });
}

std::vector<std::string> Pe::describe_outstanding() const {
  if (finished()) return {};
  std::vector<std::string> lines;
  lines.push_back(fmt::format("PE '{}': {}", config_.name, cpu_->describe()));
  for (const std::string& line : scheduler_->describe_outstanding())
    lines.push_back(fmt::format("PE '{}': {}", config_.name, line));
  return lines;
}

}  // namespace petal
