// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <set>
#include <unordered_map>
#include <utility>

#include "petal/check/rules.hpp"

namespace petal::check {
namespace {

constexpr const char* kOrder = "order";

void check_rising_ids(const PeTimeline& pe, ViolationList& violations) {
  for (std::size_t index = 1; index < pe.commands.size(); ++index) {
    const CommandTimeline& before = pe.commands[index - 1];
    const CommandTimeline& command = pe.commands[index];
    if (command.id <= before.id)
      violations.add(kOrder, {before.dispatch->seq, command.dispatch->seq}, [&] {
        return fmt::format("command {} is dispatched after command {}, ids must rise", command.id, before.id);
      });
  }
}

/// Completion times of a PE's commands, to find what a head wait ended with.
class Completions {
 public:
  explicit Completions(const PeTimeline& pe) {
    for (std::size_t index = 0; index < pe.commands.size(); ++index) {
      times_.insert(pe.commands[index].done);
      index_.emplace(pe.commands[index].id, index);
    }
    commands_ = &pe.commands;
  }
  bool happens_at(Time time) const { return times_.count(time) != 0; }
  /// The command of that id if it was dispatched before `other`.
  const CommandTimeline* earlier(std::uint64_t id, const CommandTimeline& other) const {
    const auto found = index_.find(id);
    if (found == index_.end()) return nullptr;
    const CommandTimeline& command = (*commands_)[found->second];
    return &command < &other ? &command : nullptr;
  }

 private:
  std::set<Time> times_;
  std::unordered_map<std::uint64_t, std::size_t> index_;
  const std::vector<CommandTimeline>* commands_;
};

void check_waited_for(const CommandTimeline& command, const LogRow& wait, const Completions& completions,
                      ViolationList& violations) {
  for (const std::uint64_t id : wait.waits_on) {
    const CommandTimeline* const other = completions.earlier(id, command);
    if (other == nullptr)
      violations.add(kOrder, {wait.seq}, [&] {
        return fmt::format("command {} waits for {}, which is no earlier command of its PE", command.id, id);
      });
    else if (wait.op != "window" && other->done > wait.end)  // a window opens with any of those it lists
      violations.add(kOrder, {wait.seq}, [&] {
        return fmt::format("command {} waits for {} until {} ps, but that completes at {} ps", command.id, id,
                           wait.end, other->done);
      });
  }
}

void check_head_waits(const CommandTimeline& command, const Completions& completions,
                      ViolationList& violations) {
  Time from = command.head;
  for (const LogRow* const wait : command.head_waits) {
    if (wait->start < from)
      violations.add(kOrder, {wait->seq}, [&] {
        return fmt::format("command {} waits at the queue's head from {} ps, but is there from {} ps only",
                           command.id, wait->start, from);
      });
    if (!completions.happens_at(wait->end))
      violations.add(kOrder, {wait->seq}, [&] {
        return fmt::format("command {}'s wait at the queue's head ends at {} ps, when nothing completes",
                           command.id, wait->end);
      });
    check_waited_for(command, *wait, completions, violations);
    from = wait->end;
  }
}

/// Times at which things end, soonest first.
using Ends = std::priority_queue<std::pair<Time, std::uint64_t>, std::vector<std::pair<Time, std::uint64_t>>,
                                 std::greater<>>;

}  // namespace

void check_order(const PeTimeline& pe, ViolationList& violations) {
  check_rising_ids(pe, violations);
  const Completions completions(pe);
  for (const CommandTimeline& command : pe.commands) {
    check_head_waits(command, completions, violations);
    for (const LogRow* const stage : command.stages)
      if (stage->start < command.planned)
        violations.add(kOrder, {command.dispatch->seq, stage->seq}, [&] {
          return fmt::format(
              "a stage of command {} starts at {} ps, before the command was taken and planned at {} ps",
              command.id, stage->start, command.planned);
        });
  }
}

void check_queue_capacity(const PeTimeline& pe, const PeRules& rules, ViolationList& violations) {
  Ends queued;
  std::uint64_t bytes = 0;
  for (const CommandTimeline& command : pe.commands) {
    for (; !queued.empty() && queued.top().first <= command.push; queued.pop()) bytes -= queued.top().second;
    const std::uint64_t size = command.dispatch->logical_bytes;
    if (size > rules.queue_bytes || bytes > rules.queue_bytes - size)
      violations.add("queue-capacity", {command.dispatch->seq}, [&] {
        return fmt::format("command {}'s {} bytes are pushed at {} ps onto {}, the queue holds {}",
                           command.id, size, command.push, bytes, rules.queue_bytes);
      });
    if (command.take <= command.push) continue;
    queued.emplace(command.take, size);
    bytes += size;
  }
}

void check_window(const PeTimeline& pe, const PeRules& rules, ViolationList& violations) {
  Ends in_flight;
  for (const CommandTimeline& command : pe.commands) {
    while (!in_flight.empty() && in_flight.top().first <= command.take) in_flight.pop();
    if (command.done <= command.take) continue;
    in_flight.emplace(command.done, command.id);
    if (in_flight.size() > rules.max_in_flight)
      violations.add("window", {command.dispatch->seq}, [&] {
        return fmt::format("command {} is taken at {} ps as number {} in flight, max_in_flight is {}",
                           command.id, command.take, in_flight.size(), rules.max_in_flight);
      });
  }
}

}  // namespace petal::check
