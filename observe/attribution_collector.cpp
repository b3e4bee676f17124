// SPDX-License-Identifier: Apache-2.0
#include "petal/observe/attribution_collector.hpp"

#include <algorithm>

namespace petal {
namespace {

TimeCause cause_of(CpuState state) {
  constexpr TimeCause kCauses[] = {TimeCause::dispatch, TimeCause::queue_full, TimeCause::kernel_wait,
                                   TimeCause::kernel_cycles, TimeCause::host};
  static_assert(std::size(kCauses) == kCpuStates);
  return kCauses[static_cast<std::size_t>(state)];
}

TimeCause cause_of(HeadWait reason) {
  constexpr TimeCause kCauses[] = {TimeCause::hazard, TimeCause::window, TimeCause::segment};
  return kCauses[static_cast<std::size_t>(reason)];
}

}  // namespace

/// What PE_CPU has done until `at`, in its present state since it entered it.
AttributionCollector::Moment AttributionCollector::until(const Pe& pe, Picoseconds at) {
  Moment moment = pe.cpu;
  moment.attribution.add(cause_of(pe.state), at - moment.at);
  moment.at = at;
  return moment;
}

void AttributionCollector::enter(Pe& pe, CpuState state, Picoseconds at) {
  // A launch begins when the one before has ended on the last PE: what came before is that PE's.
  if (pe.is_over) pe.cpu = finished_;
  pe.is_over = false;
  pe.cpu = until(pe, at);
  pe.left = pe.state;
  pe.state = state;
}

void AttributionCollector::on_cpu_state(const CpuStateEvent& event) {
  Pe& pe = pes_[event.pe];
  if (!pe.is_over || event.state != CpuState::idle) enter(pe, event.state, event.at);
}

// Reported when PE_CPU begins to pay, after it has entered that state; the command is pushed when it has
// paid.
void AttributionCollector::on_dispatch(const DispatchEvent& event) {
  if (std::holds_alternative<OverheadCmd>(*event.slice.command)) return;
  Pe& pe = pes_[event.pe];
  pe.queue.push_back({event.slice.completion, until(pe, event.end)});
}

void AttributionCollector::on_queue_wait(const QueueWaitEvent& event) {
  Pe& pe = pes_[event.pe];
  if (pe.queue.empty()) return;
  Moment& pushed = pe.queue.back().moment;
  pushed.attribution.add(TimeCause::queue_full, event.end - event.start);
  pushed.at = event.end;
}

void AttributionCollector::on_hazard_wait(const HazardWaitEvent& event) {
  pes_[event.pe].held_by = cause_of(event.reason);
}

// It reached the head when it was pushed, or when the one ahead was taken.
void AttributionCollector::on_take(const TakeEvent& event) {
  Pe& pe = pes_[event.pe];
  if (pe.queue.empty() || pe.queue.front().command != event.slice.completion) return;
  const Moment& pushed = pe.queue.front().moment;
  Moment moment = pushed.at >= pe.taken.at ? pushed : pe.taken;
  moment.attribution.add(pe.held_by, event.at - moment.at);
  moment.at = event.at;
  pe.held_by = TimeCause::plan;
  pe.queue.pop_front();
  pe.in_flight.push_back({event.slice.completion, moment.attribution, event.path});
  pe.taken = moment;
}

void AttributionCollector::on_complete(const CompleteEvent& event) {
  Pe& pe = pes_[event.pe];
  const auto command = std::find_if(pe.in_flight.begin(), pe.in_flight.end(), [&](const InFlight& other) {
    return other.command == event.slice.completion;
  });
  if (command == pe.in_flight.end()) return;
  pe.completed.at = event.at;
  pe.completed.attribution = command->attribution;
  pe.completed.attribution.add(event.path, command->path);
  pe.in_flight.erase(command);
}

// A program ends when the last thing it waited for has completed, or with what PE_CPU did last.
void AttributionCollector::on_finish(const FinishEvent& event) {
  Pe& pe = pes_[event.pe];
  const bool waited = pe.left == CpuState::waiting && pe.completed.at == event.at;
  const Moment end = waited ? pe.completed : until(pe, event.at);
  pe.is_over = true;
  const bool is_later = event.at > finished_.at || (event.at == finished_.at && event.pe < finished_pe_);
  if (has_finished_ && !is_later) return;
  has_finished_ = true;
  finished_ = end;
  finished_pe_ = event.pe;
}

}  // namespace petal
