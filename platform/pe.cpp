// SPDX-License-Identifier: Apache-2.0
#include "petal/platform/pe.hpp"

#include <fmt/format.h>

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
       const IssueUnit::Finished& finished, const PeBuildOrder& order, DataMode data_mode)
    : sc_module(name), config_(config), queue_("command_queue", config.cpu.queue_bytes, calendar_) {
  if (data_mode == DataMode::on) tcm_ = make_tcm(config);
  for (const PePart part : order) build(part, index, driver, finished);
  connect();
  driver.drive(calendar_);
  queue_.set_level_listener([this, index](std::uint64_t bytes, std::uint32_t entries) {
    if (!events_.empty())
      events_.report(&Observer::on_queue_level, QueueLevelEvent{index, bytes, entries, calendar_.now()});
  });
}

void Pe::build(PePart part, PeIndex index, CalendarDriver& driver, const IssueUnit::Finished& finished) {
  const ClockFrequency clock = config_.clock;
  switch (part) {
    case PePart::cpu:
      cpu_ = std::make_unique<PeCpu>("pe_cpu", IssueUnitConfig{index, clock, config_.cost, config_.cpu},
                                     calendar_, driver, events_, finished);
      break;
    case PePart::scheduler:
      scheduler_ = std::make_unique<PeScheduler>(
          "pe_scheduler",
          PeSchedulerSetup{index, clock, config_.scheduler, config_.tcm, config_.compute_slot,
                           config_.dma.outstanding, tcm_ != nullptr},
          calendar_, events_);
      break;
    case PePart::dma:
      if (config_.engines.dma) dma_ = std::make_unique<DmaEngine>("pe_dma", config_.dma, clock, tcm_.get());
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
  if (fetch_store_) scheduler_->fetch_store.bind(fetch_store_->socket);
  if (gemm_) scheduler_->gemm.bind(gemm_->socket);
  if (math_) scheduler_->math.bind(math_->socket);
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
