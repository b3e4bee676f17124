// SPDX-License-Identifier: Apache-2.0
//
// ReportRecorder: the reader of a run that its report is made of, beside its summary.
#pragma once

#include "petal/observe/observer.hpp"
#include "petal/report/dispatch_breakdown.hpp"
#include "petal/report/head_wait_ranking.hpp"
#include "petal/report/timeline_recorder.hpp"

namespace petal {

class ReportRecorder : public Observer {
 public:
  ReportRecorder(const ReportFacts& facts, const TimelineLimits& limits)
      : facts_(facts),
        timeline_(facts.pes.size(), limits),
        dispatch_(facts.pes),
        head_waits_(facts.pes.size()) {}

  void on_dispatch(const DispatchEvent& event) override {
    timeline_.on_dispatch(event);
    dispatch_.on_dispatch(event);
  }
  void on_queue_wait(const QueueWaitEvent& event) override { timeline_.on_queue_wait(event); }
  void on_hazard_wait(const HazardWaitEvent& event) override {
    timeline_.on_hazard_wait(event);
    head_waits_.on_hazard_wait(event);
  }
  void on_take(const TakeEvent& event) override {
    timeline_.on_take(event);
    head_waits_.on_take(event);
  }
  void on_stage(const StageEvent& event) override { timeline_.on_stage(event); }
  void on_complete(const CompleteEvent& event) override {
    timeline_.on_complete(event);
    head_waits_.on_complete(event);
  }
  void on_cpu_state(const CpuStateEvent& event) override { timeline_.on_cpu_state(event); }
  void on_queue_level(const QueueLevelEvent& event) override { timeline_.on_queue_level(event); }
  void on_finish(const FinishEvent& event) override { timeline_.on_finish(event); }

  const ReportFacts& facts() const { return facts_; }
  const TimelineRecorder& timeline() const { return timeline_; }
  const DispatchBreakdown& dispatch() const { return dispatch_; }
  const HeadWaitRanking& head_waits() const { return head_waits_; }

 private:
  ReportFacts facts_;
  TimelineRecorder timeline_;
  DispatchBreakdown dispatch_;
  HeadWaitRanking head_waits_;
};

}  // namespace petal
