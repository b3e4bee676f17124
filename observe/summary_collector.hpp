// SPDX-License-Identifier: Apache-2.0
//
// SummaryCollector: adds up the event stream into a Summary. Its memory does not grow with the number of
// events.
#pragma once

#include <string>
#include <vector>

#include "petal/observe/attribution_collector.hpp"
#include "petal/observe/observer.hpp"
#include "petal/observe/summary.hpp"

namespace petal {

class SummaryCollector : public Observer {
 public:
  /// One name a PE, in PeIndex order. A PE's CPU counts as idle until it says otherwise.
  explicit SummaryCollector(const std::vector<std::string>& pe_names);

  void on_dispatch(const DispatchEvent& event) override;
  void on_queue_wait(const QueueWaitEvent& event) override { attribution_.on_queue_wait(event); }
  void on_hazard_wait(const HazardWaitEvent& event) override;
  void on_take(const TakeEvent& event) override { attribution_.on_take(event); }
  void on_complete(const CompleteEvent& event) override { attribution_.on_complete(event); }
  void on_stage(const StageEvent& event) override;
  void on_cpu_state(const CpuStateEvent& event) override;
  void on_queue_level(const QueueLevelEvent& event) override;
  void on_finish(const FinishEvent& event) override;

  /// The summary of a run that ended at `facts.end`. The CPU's last state is taken to last until then, which
  /// is idleness for a PE that has finished.
  Summary summary(const RunFacts& facts) const;

 private:
  struct Pe {
    PeSummary so_far;
    CpuState state = CpuState::idle;
    Picoseconds since{0};  ///< when `state` began
    CriticalPath path;
  };

  static void enter(Pe& pe, CpuState state, Picoseconds at);

  std::vector<Pe> pes_;
  AttributionCollector attribution_;
};

}  // namespace petal
