// SPDX-License-Identifier: Apache-2.0
//
// IssueUnit: the one issue path of PE_CPU. It takes a program's steps in order: awaits what auto-await asks
// for, pays the dispatch cost, pushes into the command queue, and accounts for every picosecond as
// dispatching, queue_full, waiting, overhead or idle.
#pragma once

#include <deque>
#include <functional>
#include <string>

#include "petal/calendar/calendar.hpp"
#include "petal/observe/observer.hpp"
#include "petal/pe_cpu/command_queue.hpp"
#include "petal/pe_cpu/completion.hpp"
#include "petal/pe_cpu/completion_tracker.hpp"
#include "petal/pe_cpu/dispatch_cost.hpp"
#include "petal/pe_cpu/pe_cpu_config.hpp"
#include "petal/pe_cpu/program_step.hpp"

namespace petal {

/// A PE_CPU's constant surroundings.
struct IssueUnitConfig {
  PeIndex pe = 0;
  ClockFrequency clock{1.0};
  DispatchCostConfig cost;
  PeCpuConfig cpu;
};

class IssueUnit : public Calendar::Receiver, public Calendar::Reactor {
 public:
  /// Called when the unit has run out of steps and the program has not ended.
  using Demand = std::function<void()>;
  /// Called at the instant the program is over and everything it issued has completed.
  using Finished = std::function<void(const CriticalPath&)>;

  IssueUnit(const IssueUnitConfig& config, Calendar& calendar, const EventStream& events, Demand demand,
            Finished finished);

  /// Before the first `begin`.
  void bind(CommandQueueOut& queue) { queue_ = &queue; }
  /// Starts taking steps at calendar time `at`, which `path` leads to.
  void begin(Picoseconds at, const CriticalPath& path);

  /// Takes steps as they come, from `at` on and without an end: what feeds a device learns from the
  /// simulation when it does so. Between steps the CPU is idle.
  void begin_open(Picoseconds at);
  /// A step of an open unit, there from calendar time `at` on.
  void feed(ProgramStep step, Picoseconds at);
  /// Called when an open unit has begun a step.
  void set_step_listener(std::function<void()> listener) { step_begun_ = std::move(listener); }
  /// Called when an OverheadCmd of an open unit has been spent.
  void set_overhead_listener(std::function<void()> listener) { overhead_ended_ = std::move(listener); }
  /// Forgets all steps and what was issued; `begin_open` follows. `latest` is the last completion that was
  /// given to a step. The calendar is cleared by its owner.
  void reset(CompletionId latest);

  // The program's side.
  void add_step(ProgramStep step) { steps_.push_back(std::move(step)); }
  std::size_t steps_ahead() const { return steps_.size(); }
  void end_of_program() { program_ended_ = true; }

  // The scheduler's side.
  void completed(const Completion& completion, const CriticalPath& path);

  bool finished() const { return activity_ == Activity::idle; }
  /// An open unit has no step left and everything it issued has completed.
  bool is_quiet() const {
    return activity_ == Activity::open && steps_.empty() && completions_.all_complete();
  }
  /// Of all it has issued.
  Bytes dispatched_bytes() const { return dispatched_bytes_; }
  Cycles dispatched_cycles() const { return dispatched_cycles_; }
  /// What an unfinished unit is waiting for, for a person.
  std::string describe() const;

  void due(std::uint64_t token) override;
  void react(Calendar::Step step) override;

 private:
  enum class Activity : std::uint8_t {
    idle,
    starting,
    ready,
    dispatching,
    queue_full,
    waiting,
    overhead,
    open,  ///< without a step, until one is fed
  };

  void run();
  bool take_next_step();
  void step_begun();
  bool start(IssueRequest& request);
  bool start(const WaitStep& step);
  bool start(const OverheadCmd& command);
  bool wait_for(const std::vector<CompletionId>& completions);
  bool still_waiting() const;
  void dispatch(const CommandSlice& slice);
  void spend(Cycles cycles, PathCause cause, const CommandSlice& slice, Activity activity);
  bool push();
  bool drain();
  void resume_from_open();
  void enter(Activity activity);
  bool awaits(const IssueRequest& request) const;

  const IssueUnitConfig config_;
  Calendar& calendar_;
  const EventStream& events_;
  const Demand demand_;
  const Finished finished_;
  std::function<void()> step_begun_;
  std::function<void()> overhead_ended_;
  CommandQueueOut* queue_ = nullptr;

  std::deque<ProgramStep> steps_;
  bool program_ended_ = false;
  bool is_open_ = false;
  Activity activity_ = Activity::idle;
  Calendar::Appointment activity_ends_;
  std::vector<CompletionId> awaited_;
  CompletionTracker completions_;
  CriticalPath path_;          // leads to the present activity's start
  CriticalPath release_path_;  // of the latest completion
  QueueEntry in_hand_;
  Bytes dispatched_bytes_{0};
  Cycles dispatched_cycles_{0.0};
  Picoseconds since_{0};  // when it was paid for
  bool stood_before_full_queue_ = false;
};

}  // namespace petal
