// SPDX-License-Identifier: Apache-2.0
#include "petal/check/command_timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace petal::check {
namespace {

/// No time in a log is later (field_text.hpp), and two of these can be added.
constexpr Time kLatest = Time{1} << 61U;

/// Sorts the rows of one PE into its commands.
class TimelineBuilder {
 public:
  TimelineBuilder(std::uint64_t pe, ViolationList& violations) : violations_(violations) { pe_.pe = pe; }

  void add_dispatch(const LogRow& row) {
    pe_.cpu.push_back(&row);
    if (row.is_overhead) return;
    const auto [known, is_new] = index_.emplace(row.cmd, pe_.commands.size());
    if (!is_new) {
      violations_.add("order", {pe_.commands[known->second].dispatch->seq, row.seq}, [&] {
        return fmt::format("command {} of PE {} was dispatched twice", row.cmd, row.pe);
      });
      return;
    }
    CommandTimeline command;
    command.id = row.cmd;
    command.dispatch = &row;
    pe_.commands.push_back(std::move(command));
  }

  void add_other(const LogRow& row) {
    if (row.event == LogEvent::queue_wait) pe_.cpu.push_back(&row);
    if (row.event == LogEvent::stage) pe_.stages.push_back(&row);
    const auto found = index_.find(row.cmd);
    if (found == index_.end()) {
      violations_.add("completion", {row.seq}, [&] {
        return fmt::format("command {} of PE {} was never dispatched", row.cmd, row.pe);
      });
      return;
    }
    CommandTimeline& command = pe_.commands[found->second];
    if (row.event == LogEvent::queue_wait) command.queue_waits.push_back(&row);
    if (row.event == LogEvent::hazard_wait) command.head_waits.push_back(&row);
    if (row.event == LogEvent::stage) command.stages.push_back(&row);
    if (row.event == LogEvent::complete) command.completes.push_back(&row);
  }

  PeTimeline finish() {
    const auto by_seq = [](const LogRow* a, const LogRow* b) { return a->seq < b->seq; };
    std::stable_sort(pe_.cpu.begin(), pe_.cpu.end(), by_seq);
    return std::move(pe_);
  }

 private:
  ViolationList& violations_;
  PeTimeline pe_;
  std::unordered_map<std::uint64_t, std::size_t> index_;  ///< of commands by id
};

Time planning_of(const CommandTimeline& command, const PeRules* rules) {
  if (rules == nullptr || rules->plan_cycles_per_op == 0) return 0;
  std::set<std::uint32_t> ops;
  for (const LogRow* const stage : command.stages) ops.insert(stage->op_index);
  return std::min(rules->time_of_cycles(rules->plan_cycles_per_op * static_cast<double>(ops.size())),
                  kLatest);
}

}  // namespace

std::vector<PeTimeline> timelines_of(const LogFile& file, ViolationList& violations) {
  std::map<std::uint64_t, TimelineBuilder> builders;
  const auto builder_of = [&](const LogRow& row) -> TimelineBuilder& {
    return builders.try_emplace(row.pe, row.pe, violations).first->second;
  };
  // Dispatch rows first, so that a command whose rows are out of order still is one command.
  for (const LogRow& row : file.rows)
    if (row.event == LogEvent::dispatch) builder_of(row).add_dispatch(row);
  for (const LogRow& row : file.rows)
    if (row.event != LogEvent::dispatch) builder_of(row).add_other(row);
  std::vector<PeTimeline> pes;
  pes.reserve(builders.size());
  for (auto& [pe, builder] : builders) pes.push_back(builder.finish());
  return pes;
}

void derive_times(PeTimeline& pe, const PeRules* rules) {
  Time taken_before = 0;
  Time planned_before = 0;
  for (CommandTimeline& command : pe.commands) {
    command.push = command.queue_waits.empty() ? command.dispatch->end : command.queue_waits.back()->end;
    command.head = std::max(command.push, taken_before);
    command.take = std::max(command.head, planned_before);
    if (!command.head_waits.empty()) command.take = std::max(command.take, command.head_waits.back()->end);
    command.planned = std::min(command.take, kLatest) + planning_of(command, rules);
    command.first_stage = command.last_stage = command.planned;
    if (!command.stages.empty()) command.first_stage = command.last_stage = command.stages.front()->start;
    for (const LogRow* const stage : command.stages) {
      command.first_stage = std::min(command.first_stage, stage->start);
      command.last_stage = std::max(command.last_stage, stage->end);
    }
    command.done = command.completes.empty() ? command.last_stage : command.completes.front()->end;
    taken_before = command.take;
    planned_before = command.planned;
  }
}

}  // namespace petal::check
