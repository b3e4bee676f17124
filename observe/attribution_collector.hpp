// SPDX-License-Identifier: Apache-2.0
//
// AttributionCollector: works out the attribution of a run from its events. Its memory grows with the
// commands in the queues and in flight, not with the run.
#pragma once

#include <deque>
#include <vector>

#include "petal/observe/attribution.hpp"
#include "petal/observe/observer.hpp"

namespace petal {

class AttributionCollector : public Observer {
 public:
  explicit AttributionCollector(std::size_t pes) : pes_(pes) {}

  void on_dispatch(const DispatchEvent& event) override;
  void on_queue_wait(const QueueWaitEvent& event) override;
  void on_hazard_wait(const HazardWaitEvent& event) override;
  void on_take(const TakeEvent& event) override;
  void on_complete(const CompleteEvent& event) override;
  void on_cpu_state(const CpuStateEvent& event) override;
  void on_finish(const FinishEvent& event) override;

  /// Of the PE that finished last, the first of equals: total() is when. Zero if no PE has finished.
  const Attribution& attribution() const { return finished_.attribution; }

 private:
  /// An instant, and what the time until then belongs to: attribution.total() == at.
  struct Moment {
    Picoseconds at{0};
    Attribution attribution;
  };
  struct Pushed {
    CompletionId command;
    Moment moment;
  };
  struct InFlight {
    CompletionId command;
    Attribution attribution;  // until it was taken
    CriticalPath path;        // when it was taken
  };
  struct Pe {
    Moment cpu;  // when PE_CPU entered its state
    CpuState state = CpuState::idle;
    CpuState left = CpuState::idle;       // the state before
    bool is_over = false;                 // its program is, until the next launch
    std::deque<Pushed> queue;             // of commands that are paid for and not taken
    Moment taken;                         // the latest take
    TimeCause held_by = TimeCause::plan;  // what holds the command that is taken next
    std::vector<InFlight> in_flight;
    Moment completed;  // the latest completion
  };

  static Moment until(const Pe& pe, Picoseconds at);
  void enter(Pe& pe, CpuState state, Picoseconds at);

  std::vector<Pe> pes_;
  bool has_finished_ = false;
  Moment finished_;  // the latest end of a PE's program
  PeIndex finished_pe_ = 0;
};

}  // namespace petal
