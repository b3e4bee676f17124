// SPDX-License-Identifier: Apache-2.0
//
// TimelineRecorder: keeps of a run what its timeline shows. Its memory has an upper limit.
#pragma once

#include <vector>

#include "petal/observe/observer.hpp"
#include "petal/report/pe_timeline.hpp"

namespace petal {

class TimelineRecorder : public Observer {
 public:
  TimelineRecorder(std::size_t pes, const TimelineLimits& limits);

  void on_dispatch(const DispatchEvent& event) override;
  void on_queue_wait(const QueueWaitEvent& event) override;
  void on_hazard_wait(const HazardWaitEvent& event) override;
  void on_take(const TakeEvent& event) override;
  void on_stage(const StageEvent& event) override;
  void on_complete(const CompleteEvent& event) override;
  void on_cpu_state(const CpuStateEvent& event) override;
  void on_queue_level(const QueueLevelEvent& event) override;
  void on_finish(const FinishEvent& event) override;

  std::size_t size() const { return pes_.size(); }
  const PeTimeline& pe(std::size_t index) const { return pes_[index].timeline; }
  /// How long PE `index` had a command in flight.
  Picoseconds time_in_flight(std::size_t index) const { return pes_[index].time_in_flight; }
  const CommandClasses& commands() const { return commands_; }
  const StageForms& stage_forms() const { return stage_forms_; }

 private:
  struct Pe {
    PeTimeline timeline;
    CpuState state = CpuState::idle;
    Picoseconds since{0};  // when `state` began
    std::uint64_t in_flight = 0;
    Picoseconds in_flight_since{0};
    Picoseconds time_in_flight{0};
  };

  static void enter(Pe& pe, CpuState state, Picoseconds at);
  static void set_in_flight(Pe& pe, std::uint64_t commands, Picoseconds at);
  void add(PeIndex pe, Track track, const CommandSlice& slice, Picoseconds start, Picoseconds end,
           std::vector<CompletionId> waits_on = {});

  std::vector<Pe> pes_;
  CommandClasses commands_;
  StageForms stage_forms_;
};

}  // namespace petal
