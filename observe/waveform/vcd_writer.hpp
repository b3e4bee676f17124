// SPDX-License-Identifier: Apache-2.0
//
// VcdWriter: the event stream as a Value Change Dump. It writes while the simulation runs, in memory that
// does not grow, and the file is complete up to the present at any moment, whatever becomes of the process
// (GrowingFile).
//
// Its times are the ledger's picoseconds, those of the op_log. A value at #t is what it is when everything
// that happens at t has happened; what begins and ends within one instant does not show.
//
// It needs events in the order of time over all PEs: PlatformOptions::event_order = EventOrder::by_time, or a
// PE alone, or an EventSorter before it.
#pragma once

#include <string>
#include <vector>

#include "petal/observe/observer.hpp"
#include "petal/waveform/gtkwave_files.hpp"
#include "petal/waveform/later_facts.hpp"
#include "petal/waveform/vcd_file.hpp"

namespace petal {

/// Which part of a run a waveform shows.
struct WaveformSelection {
  Picoseconds from{0};
  Picoseconds to = kNever;   ///< inclusive
  std::vector<PeIndex> pes;  ///< empty: all
};

class VcdWriter : public Observer {
 public:
  /// `scopes` are the names of the modules around the PEs, outermost first. Throws ConfigError if the file
  /// cannot be written.
  VcdWriter(const std::string& path, const std::vector<std::string>& scopes,
            const std::vector<WaveformPe>& pes, const OutputOrigin& origin,
            const WaveformSelection& selection = {});
  ~VcdWriter() override;

  void on_dispatch(const DispatchEvent& event) override;
  void on_scheduler_state(const SchedulerStateEvent& event) override;
  void on_stage(const StageEvent& event) override;
  void on_stage_end(const StageEndEvent& event) override;
  void on_stage_begin(const StageEvent& event) override;
  void on_port_free(const PortFreeEvent& event) override;
  void on_cpu_state(const CpuStateEvent& event) override;
  void on_queue_level(const QueueLevelEvent& event) override;
  void on_interrupt(const InterruptEvent& event) override;
  void on_reset(const ResetEvent& event) override;
  void on_finish(const FinishEvent& event) override;

  /// The run is over, or has failed: what has happened is written. Throws ConfigError if something could not
  /// be.
  void close();

 private:
  void advance(Picoseconds to);
  void enter(Picoseconds instant);
  void write_initial(Picoseconds at);
  void write_changes();
  void finish();
  void apply(const LaterFact& fact);
  void begin_stage(const StageEvent& event);
  void extend_view(const StageEvent& event);
  void end_stage(PeIndex pe, EnginePort port);
  bool is_latest(const StageEndEvent& event, EnginePort port) const;
  void end_transfer(PeIndex pe, std::uint64_t bytes);
  bool ignores(PeIndex pe) const { return over_ || !shown_[pe]; }
  void add(PeIndex pe, PeSignal signal, std::uint64_t difference);
  void set(PeIndex pe, PeSignal signal, std::uint64_t value);
  void mark(PeIndex pe, SignalSet changed);

  const WaveformSelection selection_;
  const std::vector<bool> shown_;  // by PE
  const std::string path_;
  const VcdLayout layout_;
  VcdFile file_;
  std::uint32_t stages_in_view_ = 0;  // of the first PE shown
  WaveformView view_;
  std::vector<SignalValues> values_;  // by PE
  std::vector<SignalSet> changed_;    // by PE: in this instant
  std::vector<PeIndex> changed_pes_;
  LaterFacts later_;
  Picoseconds now_{0};      // the instant at hand; it is written when time goes on
  Picoseconds reached_{0};  // facts up to here are no announcements any more
  bool begun_ = false;      // the initial values are written
  bool over_ = false;       // nothing is to be written any more
};

}  // namespace petal
