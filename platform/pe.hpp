// SPDX-License-Identifier: Apache-2.0
//
// Pe: one processing element, assembled: PE_CPU, command queue, PE_SCHEDULER and the engines it has.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "petal/calendar/calendar_driver.hpp"
#include "petal/config/platform_config.hpp"
#include "petal/engines/burst_dma_engine.hpp"
#include "petal/engines/dma_engine.hpp"
#include "petal/engines/fetch_store_engine.hpp"
#include "petal/engines/gemm_engine.hpp"
#include "petal/engines/math_engine.hpp"
#include "petal/memory/byte_memory.hpp"
#include "petal/pe_cpu/pe_cpu.hpp"
#include "petal/pe_scheduler/pe_scheduler.hpp"

namespace petal {

/// The parts of a PE, in the order in which they are built. It must not matter: a test builds them in every
/// order.
enum class PePart : std::uint8_t { cpu, scheduler, dma, fetch_store, gemm, math };
using PeBuildOrder = std::vector<PePart>;
PeBuildOrder default_build_order();

/// Whether a run computes results beside their timing. Time does not depend on it.
enum class DataMode : std::uint8_t { off, on };

/// How a PE is put together, apart from what it models.
struct PeOptions {
  PeBuildOrder build_order = default_build_order();
  DataMode data_mode = DataMode::off;
  OnFailure on_failure = OnFailure::stop_simulation;
};

class Pe : public sc_core::sc_module {
 public:
  /// `driver` runs this PE's calendar; `finished` is called each time a launched program is over. In data
  /// mode the engines also compute, and the PE's memory must move data. Throws ConfigError if the PE's DMA
  /// makes bursts and `driver` runs ahead: when a burst is answered is not known ahead.
  Pe(const sc_core::sc_module_name& name, PeIndex index, const PeConfig& config, CalendarDriver& driver,
     const IssueUnit::Finished& finished, const PeOptions& options = PeOptions());

  const PeConfig& config() const { return config_; }
  /// The socket to bind to the PE's memory; null if the PE has no DMA engine.
  tlm::tlm_initiator_socket<64>* memory_socket();
  /// What the PE's accesses to its memory go through if they are bursts; null if they are not.
  BusInitiator* bus() { return bus_.get(); }
  /// Arena and staging, arena first. Null without data mode.
  ByteMemory* tcm() { return tcm_.get(); }
  /// Attach readers before the simulation starts.
  EventStream& events() { return events_; }
  Bytes staging_bytes() const { return scheduler_->staging_bytes(); }

  /// Runs `program` from ledger time `at`, which `path` leads to. Precondition: finished().
  void launch(PeProgram program, Picoseconds at, const CriticalPath& path) {
    cpu_->launch(std::move(program), at, path);
  }
  bool finished() const { return cpu_->finished(); }
  void rethrow_failure() const { cpu_->rethrow_failure(); }
  /// What an unfinished PE waits for, one line each.
  std::vector<std::string> describe_outstanding() const;

  // Of a PE that is fed from outside, instead of running programs.
  PeCpu& cpu() { return *cpu_; }
  const IssueUnit& issue_unit() const { return cpu_->issue_unit(); }
  /// Takes steps from the present on (PeCpu::open).
  void open() { cpu_->open(present()); }
  /// A step that is there now (PeCpu::feed).
  void feed(ProgramStep step) { cpu_->feed(std::move(step), present()); }
  /// The kernel's present in the PE's ledger.
  Picoseconds present() const { return driver_.present(calendar_); }
  /// Data that failed commands should have written counts as good.
  void forget_failures() { scheduler_->forget_failures(); }
  /// Forgets everything under way; `latest` is the last completion that was given to a step. Bursts under way
  /// are awaited, and come to nothing; `drained` is then called, before which nothing may be fed.
  void reset(CompletionId latest, const std::function<void()>& drained);

 private:
  void build(PePart part, PeIndex index, const IssueUnit::Finished& finished);
  void build_dma();
  void connect();

  const PeIndex index_;
  const PeConfig config_;
  CalendarDriver& driver_;
  const OnFailure on_failure_;
  std::unique_ptr<ByteMemory> tcm_;  // arena and staging; only in data mode
  Calendar calendar_;
  EventStream events_;
  CommandQueue queue_;
  std::unique_ptr<PeCpu> cpu_;
  std::unique_ptr<PeScheduler> scheduler_;
  std::unique_ptr<BusInitiator> bus_;
  std::unique_ptr<DmaEngine> dma_;             // of a PE whose memory is PETAL's own
  std::unique_ptr<BurstDmaEngine> burst_dma_;  // of the others
  std::unique_ptr<FetchStoreEngine> fetch_store_;
  std::unique_ptr<GemmEngine> gemm_;
  std::unique_ptr<MathEngine> math_;
};

}  // namespace petal
