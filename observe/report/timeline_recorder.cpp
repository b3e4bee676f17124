// SPDX-License-Identifier: Apache-2.0
#include "petal/report/timeline_recorder.hpp"

#include <utility>

namespace petal {

TimelineRecorder::TimelineRecorder(std::size_t pes, const TimelineLimits& limits)
    : pes_(pes, Pe{PeTimeline(limits)}) {}

void TimelineRecorder::add(PeIndex pe, Track track, const CommandSlice& slice, Picoseconds start,
                           Picoseconds end, std::vector<CompletionId> waits_on) {
  pes_[pe].timeline.add(
      CommandSpan{track, start, end, slice.completion, commands_.id_of(slice), std::move(waits_on)});
}

void TimelineRecorder::on_dispatch(const DispatchEvent& event) {
  const bool is_overhead = std::holds_alternative<OverheadCmd>(*event.slice.command);
  add(event.pe, is_overhead ? Track::overhead : Track::dispatching, event.slice, event.start, event.end);
}

void TimelineRecorder::on_queue_wait(const QueueWaitEvent& event) {
  add(event.pe, Track::queue_full, event.slice, event.start, event.end);
}

void TimelineRecorder::on_hazard_wait(const HazardWaitEvent& event) {
  add(event.pe, track_of(event.reason), event.slice, event.start, event.end, event.waits_on);
}

void TimelineRecorder::on_stage(const StageEvent& event) {
  pes_[event.pe].timeline.add(StageSpan{event.start, event.busy_end, event.end, event.tile, event.command,
                                        stage_forms_.id_of(event), port_of(event.kind), event.has_tile});
}

void TimelineRecorder::on_take(const TakeEvent& event) {
  set_in_flight(pes_[event.pe], pes_[event.pe].in_flight + 1, event.at);
}

void TimelineRecorder::on_complete(const CompleteEvent& event) {
  set_in_flight(pes_[event.pe], pes_[event.pe].in_flight - 1, event.at);
}

void TimelineRecorder::set_in_flight(Pe& pe, std::uint64_t commands, Picoseconds at) {
  if (pe.in_flight > 0) pe.time_in_flight += at - pe.in_flight_since;
  pe.in_flight = commands;
  pe.in_flight_since = at;
  pe.timeline.set_in_flight(LevelStep{at, commands, 0});
}

void TimelineRecorder::on_queue_level(const QueueLevelEvent& event) {
  pes_[event.pe].timeline.set_queue_level(LevelStep{event.at, event.bytes, event.entries});
}

void TimelineRecorder::on_cpu_state(const CpuStateEvent& event) {
  enter(pes_[event.pe], event.state, event.at);
}

void TimelineRecorder::on_finish(const FinishEvent& event) {
  enter(pes_[event.pe], CpuState::idle, event.at);
}

/// PE_CPU's other states have events of their own.
void TimelineRecorder::enter(Pe& pe, CpuState state, Picoseconds at) {
  if (pe.state == CpuState::waiting && at > pe.since)
    pe.timeline.add(CommandSpan{Track::waiting, pe.since, at, kNoCompletion, std::nullopt, {}});
  pe.state = state;
  pe.since = at;
}

}  // namespace petal
