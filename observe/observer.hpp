// SPDX-License-Identifier: Apache-2.0
//
// Observer: a reader of the event stream. Override what you need. An observer must not change what it sees:
// time and results are the same with any set of readers attached.
//
// Per PE, events arrive in the order in which the model comes to know them: a stage is reported when it
// starts, a wait when it is over. Sort by `start` for a chronological list.
#pragma once

#include "petal/observe/event.hpp"

namespace petal {

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_dispatch(const DispatchEvent&) {}
  virtual void on_queue_wait(const QueueWaitEvent&) {}
  virtual void on_scheduler_state(const SchedulerStateEvent&) {}
  virtual void on_hazard_wait(const HazardWaitEvent&) {}
  virtual void on_take(const TakeEvent&) {}
  virtual void on_stage(const StageEvent&) {}
  virtual void on_stage_end(const StageEndEvent&) {}
  /// Of stages whose end is not known when they start; `busy_end` and `end` of the event are kNever.
  virtual void on_stage_begin(const StageEvent&) {}
  virtual void on_port_free(const PortFreeEvent&) {}
  virtual void on_complete(const CompleteEvent&) {}
  virtual void on_cpu_state(const CpuStateEvent&) {}
  virtual void on_queue_level(const QueueLevelEvent&) {}
  virtual void on_interrupt(const InterruptEvent&) {}
  virtual void on_reset(const ResetEvent&) {}
  virtual void on_finish(const FinishEvent&) {}
};

/// The readers of one PE's events. Modules ask `empty()` first, so that a run without readers pays one test a
/// fact.
class EventStream {
 public:
  /// `observer` must outlive the simulation.
  void attach(Observer& observer) { observers_.push_back(&observer); }
  bool empty() const { return observers_.empty(); }

  /// Calls `member` on every reader: stream.report(&Observer::on_stage, event).
  template <typename Event>
  void report(void (Observer::*member)(const Event&), const Event& event) const {
    for (Observer* const observer : observers_) (observer->*member)(event);
  }

 private:
  std::vector<Observer*> observers_;
};

}  // namespace petal
