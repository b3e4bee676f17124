// SPDX-License-Identifier: Apache-2.0
#include "support/event_log.hpp"

#include <algorithm>
#include <stdexcept>

namespace petal::test {
namespace {

template <typename Entry>
const Entry& only_entry(const std::vector<Entry>& entries, CompletionId command, const char* what) {
  for (const Entry& entry : entries)
    if (entry.pe == 0 && entry.command == command) return entry;
  throw std::out_of_range(std::string("PE 0 has no ") + what + " of command " + std::to_string(command));
}

}  // namespace

std::string LoggedStage::name() const {
  return std::string(name_of(kind)) + " " + op;
}

void EventLog::on_dispatch(const DispatchEvent& event) {
  LoggedDispatch entry;
  entry.pe = event.pe;
  entry.command = event.slice.completion;
  entry.kind = kind_name(*event.slice.command);
  entry.op = op_name(*event.slice.command);
  entry.logical_bytes = event.slice.logical_bytes.count();
  entry.segment = event.slice.segment;
  entry.segments = event.slice.segments;
  entry.cycles = event.cycles.count();
  entry.start_ps = event.start.count();
  entry.end_ps = event.end.count();
  dispatches.push_back(std::move(entry));
}

void EventLog::on_queue_wait(const QueueWaitEvent& event) {
  queue_waits.push_back(
      {event.pe, event.slice.completion, HeadWait::hazard, {}, event.start.count(), event.end.count()});
}

void EventLog::on_hazard_wait(const HazardWaitEvent& event) {
  head_waits.push_back({event.pe, event.slice.completion, event.reason, event.waits_on, event.start.count(),
                        event.end.count()});
}

void EventLog::on_stage(const StageEvent& event) {
  LoggedStage entry;
  entry.pe = event.pe;
  entry.command = event.command;
  entry.number = event.stage;
  entry.kind = event.kind;
  entry.op = event.op;
  entry.op_index = event.op_index;
  entry.tile = event.tile;
  entry.bytes = event.bytes;
  entry.elements = event.elements;
  entry.macs = event.macs;
  entry.reads.assign(event.reads.begin(), event.reads.begin() + event.read_count);
  entry.writes.assign(event.writes.begin(), event.writes.begin() + event.write_count);
  entry.start_ps = event.start.count();
  entry.busy_end_ps = event.busy_end.count();
  entry.end_ps = event.end.count();
  stages.push_back(std::move(entry));
}

void EventLog::on_complete(const CompleteEvent& event) {
  completions.push_back(
      {event.pe, event.slice.completion, event.taken.count(), event.at.count(), event.status});
}

const LoggedDispatch& EventLog::dispatch_of(CompletionId command) const {
  return only_entry(dispatches, command, "dispatch");
}

const LoggedCompletion& EventLog::completion_of(CompletionId command) const {
  return only_entry(completions, command, "completion");
}

std::vector<LoggedStage> EventLog::stages_of(CompletionId command) const {
  std::vector<LoggedStage> found;
  for (const LoggedStage& stage : stages)
    if (stage.pe == 0 && stage.command == command) found.push_back(stage);
  if (found.empty()) throw std::out_of_range("PE 0 has no stage of command " + std::to_string(command));
  return found;
}

std::vector<LoggedStage> EventLog::stages_of(CompletionId command, StageKind kind) const {
  std::vector<LoggedStage> found;
  for (const LoggedStage& stage : stages_of(command))
    if (stage.kind == kind) found.push_back(stage);
  return found;
}

std::int64_t EventLog::start_of(CompletionId command) const {
  std::int64_t start = kNever.count();
  for (const LoggedStage& stage : stages_of(command)) start = std::min(start, stage.start_ps);
  return start;
}

std::int64_t EventLog::end_of(CompletionId command) const {
  std::int64_t end = 0;
  for (const LoggedStage& stage : stages_of(command)) end = std::max(end, stage.end_ps);
  return end;
}

std::vector<LoggedStage> EventLog::stages_of_kind(StageKind kind) const {
  std::vector<LoggedStage> found;
  for (const LoggedStage& stage : stages)
    if (stage.kind == kind) found.push_back(stage);
  return found;
}

double EventLog::dispatch_cycles() const {
  double sum = 0;
  for (const LoggedDispatch& dispatch : dispatches)
    if (!dispatch.is_overhead()) sum += dispatch.cycles;
  return sum;
}

std::uint64_t EventLog::dispatch_bytes() const {
  std::uint64_t sum = 0;
  for (const LoggedDispatch& dispatch : dispatches)
    if (!dispatch.is_overhead()) sum += dispatch.logical_bytes;
  return sum;
}

std::uint64_t EventLog::dispatched() const {
  return static_cast<std::uint64_t>(
      std::count_if(dispatches.begin(), dispatches.end(),
                    [](const LoggedDispatch& entry) { return !entry.is_overhead(); }));
}

std::vector<std::string> names_in_plan_order(std::vector<LoggedStage> stages) {
  std::sort(stages.begin(), stages.end(),
            [](const LoggedStage& a, const LoggedStage& b) { return a.number < b.number; });
  std::vector<std::string> names;
  for (const LoggedStage& stage : stages) names.push_back(stage.name());
  return names;
}

}  // namespace petal::test
