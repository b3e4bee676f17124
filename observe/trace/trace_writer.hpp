// SPDX-License-Identifier: Apache-2.0
//
// TraceWriter: the event stream as a trace for Perfetto and chrome://tracing. A process for each PE, with a
// row for PE_CPU, the queue's head, PE_SCHEDULER, each engine port and completions; arrows from a command's
// dispatch through its stages to its completion; counters of queue bytes, queue entries and outstanding DMA
// bytes.
//
// It writes while the simulation runs, in memory that does not grow; events may come in any order between
// PEs. The file is the same each time if they come in the same one (EventOrder::by_time).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "petal/observe/observer.hpp"
#include "petal/observe/output_origin.hpp"
#include "petal/trace/trace_file.hpp"

namespace petal {

class TraceWriter : public Observer {
 public:
  /// `pe_names` in PeIndex order. Throws ConfigError if the file cannot be written.
  TraceWriter(const std::string& path, const std::vector<std::string>& pe_names, const OutputOrigin& origin);
  ~TraceWriter() override;

  void on_dispatch(const DispatchEvent& event) override;
  void on_take(const TakeEvent& event) override;
  void on_scheduler_state(const SchedulerStateEvent& event) override;
  void on_stage(const StageEvent& event) override;
  void on_stage_end(const StageEndEvent& event) override;
  void on_stage_begin(const StageEvent& event) override;
  void on_complete(const CompleteEvent& event) override;
  void on_cpu_state(const CpuStateEvent& event) override;
  void on_queue_level(const QueueLevelEvent& event) override;
  void on_interrupt(const InterruptEvent& event) override;
  void on_reset(const ResetEvent& event) override;
  void on_finish(const FinishEvent& event) override;

  /// The run is over, or has failed: what has happened is written. Throws ConfigError if something could not
  /// be.
  void close();

 private:
  /// A counter's latest values, written once the instant is over: only the last of an instant counts.
  struct Counter {
    std::array<std::uint64_t, 2> values{};
    Picoseconds at{0};
    bool unwritten = false;
  };

  struct Pe {
    CpuState cpu = CpuState::idle;
    Picoseconds cpu_since{0};
    CompletionId cpu_command = kNoCompletion;
    SchedulerStateEvent scheduler;
    Picoseconds latest_take{0};
    Counter queue;        // bytes, entries
    Counter outstanding;  // read, write
    Picoseconds reached{0};
  };

  void describe_tracks(PeIndex pe, const std::string& name);
  Pe& at(PeIndex index, Picoseconds time);
  void write_counters(PeIndex index, Pe& pe);
  void end_cpu_state(PeIndex index, Pe& pe, Picoseconds until);
  void end_scheduler_state(PeIndex index, Pe& pe, Picoseconds until);
  void write_stage(const StageEvent& event);
  void transfer(PeIndex index, StageKind kind, Picoseconds time, std::uint64_t difference);
  void finish();

  TraceFile file_;
  std::vector<Pe> pes_;
  bool finished_ = false;
};

}  // namespace petal
