// SPDX-License-Identifier: Apache-2.0
//
// EventLog: keeps what a simulation reported, so that a test can ask for it afterwards. Times are
// picoseconds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "petal/observe/observer.hpp"

namespace petal::test {

struct LoggedDispatch {
  PeIndex pe = 0;
  CompletionId command = kNoCompletion;
  std::string kind;  ///< "CompositeCmd", ...
  std::string op;
  std::uint64_t logical_bytes = 0;
  std::uint32_t segment = 0;
  std::uint32_t segments = 1;
  double cycles = 0;
  std::int64_t start_ps = 0;
  std::int64_t end_ps = 0;

  bool is_overhead() const { return kind == "OverheadCmd"; }
};

/// A queue wait or a wait at the queue's head; `reason` and `waits_on` are of the latter.
struct LoggedWait {
  PeIndex pe = 0;
  CompletionId command = kNoCompletion;
  HeadWait reason = HeadWait::hazard;
  std::vector<CompletionId> waits_on;
  std::int64_t start_ps = 0;
  std::int64_t end_ps = 0;
};

struct LoggedStage {
  PeIndex pe = 0;
  CompletionId command = kNoCompletion;
  std::uint64_t number = 0;  ///< in plan order
  StageKind kind = StageKind::fetch;
  std::string op;
  std::uint32_t op_index = 0;
  TileIndex tile;
  std::uint64_t bytes = 0;
  std::uint64_t elements = 0;
  std::uint64_t macs = 0;
  std::vector<ByteRange> reads;
  std::vector<ByteRange> writes;
  std::int64_t start_ps = 0;
  std::int64_t busy_end_ps = 0;
  std::int64_t end_ps = 0;

  std::int64_t duration_ps() const { return end_ps - start_ps; }
  std::int64_t busy_ps() const { return busy_end_ps - start_ps; }
  /// "DMA_READ gemm", "MATH rmax", ...
  std::string name() const;
};

struct LoggedCompletion {
  PeIndex pe = 0;
  CompletionId command = kNoCompletion;
  std::int64_t taken_ps = 0;
  std::int64_t at_ps = 0;
  CompletionStatus status = CompletionStatus::ok;
};

class EventLog : public Observer {
 public:
  std::vector<LoggedDispatch> dispatches;
  std::vector<LoggedWait> queue_waits;
  std::vector<LoggedWait> head_waits;
  std::vector<LoggedStage> stages;  ///< in the order of their starts on each PE
  std::vector<LoggedCompletion> completions;

  void on_dispatch(const DispatchEvent& event) override;
  void on_queue_wait(const QueueWaitEvent& event) override;
  void on_hazard_wait(const HazardWaitEvent& event) override;
  void on_stage(const StageEvent& event) override;
  void on_complete(const CompleteEvent& event) override;

  // Of PE 0. A command that is not there, or has no such stage, is a std::out_of_range.
  const LoggedDispatch& dispatch_of(CompletionId command) const;
  const LoggedCompletion& completion_of(CompletionId command) const;
  std::vector<LoggedStage> stages_of(CompletionId command) const;
  std::vector<LoggedStage> stages_of(CompletionId command, StageKind kind) const;
  /// The earliest start and the latest end of a command's stages.
  std::int64_t start_of(CompletionId command) const;
  std::int64_t end_of(CompletionId command) const;

  // Over all PEs.
  std::vector<LoggedStage> stages_of_kind(StageKind kind) const;
  /// Without OverheadCmds.
  double dispatch_cycles() const;
  std::uint64_t dispatch_bytes() const;
  std::uint64_t dispatched() const;
};

/// The names of `stages`, in plan order.
std::vector<std::string> names_in_plan_order(std::vector<LoggedStage> stages);

}  // namespace petal::test
