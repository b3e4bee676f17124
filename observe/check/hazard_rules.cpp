// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "petal/check/rules.hpp"

namespace petal::check {
namespace {

using Ranges = std::vector<LogRange>;

/// Sorts `ranges` and joins those that touch.
void coalesce(Ranges& ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const LogRange& a, const LogRange& b) {
    return std::make_pair(a.is_tcm, a.begin) < std::make_pair(b.is_tcm, b.begin);
  });
  Ranges joined;
  for (const LogRange& range : ranges) {
    if (!joined.empty() && joined.back().is_tcm == range.is_tcm && range.begin <= joined.back().end)
      joined.back().end = std::max(joined.back().end, range.end);
    else
      joined.push_back(range);
  }
  ranges = std::move(joined);
}

bool is_staging(const LogRange& range, const PeRules& rules) {
  return range.is_tcm && range.begin >= rules.arena_bytes;
}

/// Precondition: both lists are coalesced.
bool overlap(const Ranges& a, const Ranges& b) {
  return std::any_of(a.begin(), a.end(), [&](const LogRange& range) {
    return std::any_of(b.begin(), b.end(), [&](const LogRange& other) { return range.overlaps(other); });
  });
}

/// Precondition: `all` is coalesced, so that a contiguous range lies in one of its entries or in none.
bool contains(const Ranges& all, const LogRange& range) {
  return std::any_of(all.begin(), all.end(), [&](const LogRange& one) {
    return one.is_tcm == range.is_tcm && one.begin <= range.begin && range.end <= one.end;
  });
}

/// What a command declared and what its stages touched, staging left out.
struct Footprint {
  const CommandTimeline* command = nullptr;
  Ranges reads;
  Ranges writes;

  Footprint(const CommandTimeline& of, const PeRules& rules)
      : command(&of), reads(of.dispatch->reads), writes(of.dispatch->writes) {
    for (const LogRow* const stage : of.stages) {
      add(reads, stage->reads, rules);
      add(writes, stage->writes, rules);
    }
    coalesce(reads);
    coalesce(writes);
  }

  /// The name of the conflict with an earlier command, or null.
  const char* conflict_with(const Footprint& earlier) const {
    if (overlap(reads, earlier.writes)) return "reads what it writes (RAW)";
    if (overlap(writes, earlier.reads)) return "writes what it reads (WAR)";
    if (overlap(writes, earlier.writes)) return "writes what it writes (WAW)";
    return nullptr;
  }

 private:
  static void add(Ranges& into, const Ranges& from, const PeRules& rules) {
    for (const LogRange& range : from)
      if (!is_staging(range, rules)) into.push_back(range);
  }
};

class HazardCheck {
 public:
  HazardCheck(const PeRules& rules, ViolationList& violations) : rules_(rules), violations_(violations) {}

  void next(const CommandTimeline& command) {
    in_flight_.erase(
        std::remove_if(in_flight_.begin(), in_flight_.end(),
                       [&](const Footprint& earlier) { return earlier.command->done <= command.head; }),
        in_flight_.end());
    Footprint footprint(command, rules_);
    bool conflicts = false;
    for (const Footprint& earlier : in_flight_) conflicts = check_pair(footprint, earlier) || conflicts;
    if (conflicts && command.is_composite() && waited_for_hazard(command)) check_waited_for_all(command);
    in_flight_.push_back(std::move(footprint));
    // Rule `window` has reported a log with more; comparing all pairs of it would take for ever.
    if (in_flight_.size() > std::max<std::uint64_t>(kMostCompared, rules_.max_in_flight))
      in_flight_.erase(in_flight_.begin());
  }

 private:
  static constexpr std::uint64_t kMostCompared = 64;

  static bool waited_for_hazard(const CommandTimeline& command) {
    return !command.head_waits.empty() && command.head_waits.front()->op == "hazard";
  }

  /// True if the two conflict and are not slices of one composite.
  bool check_pair(const Footprint& later, const Footprint& earlier) {
    const char* const conflict = later.conflict_with(earlier);
    if (conflict == nullptr) return false;
    const CommandTimeline& command = *later.command;
    const CommandTimeline& other = *earlier.command;
    const Time starts = std::min(command.take, command.first_stage);
    if (starts < other.done)
      violations_.add("hazard", {other.dispatch->seq, command.dispatch->seq}, [&] {
        return fmt::format("command {} {} of command {}: it starts at {} ps, before that completes at {} ps",
                           command.id, conflict, other.id, starts, other.done);
      });
    return !command.same_composite(other);
  }

  void check_waited_for_all(const CommandTimeline& command) {
    for (const Footprint& earlier : in_flight_) {
      if (command.take >= earlier.command->done) continue;
      violations_.add("hazard", {earlier.command->dispatch->seq, command.dispatch->seq}, [&] {
        return fmt::format(
            "composite {} waited for a hazard and is taken at {} ps, before all earlier commands have "
            "completed: command {} does at {} ps",
            command.id, command.take, earlier.command->id, earlier.command->done);
      });
    }
  }

  const PeRules& rules_;
  ViolationList& violations_;
  std::vector<Footprint> in_flight_;
};

}  // namespace

void check_hazards(const PeTimeline& pe, const PeRules& rules, ViolationList& violations) {
  HazardCheck check(rules, violations);
  for (const CommandTimeline& command : pe.commands) check.next(command);
}

void check_ranges(const PeTimeline& pe, const PeRules& rules, ViolationList& violations) {
  for (const CommandTimeline& command : pe.commands) {
    Ranges writes = command.dispatch->writes;
    Ranges reads = command.dispatch->reads;
    reads.insert(reads.end(), writes.begin(), writes.end());  // it may read again what it wrote
    coalesce(reads);
    coalesce(writes);
    for (const LogRow* const stage : command.stages) {
      const auto is_declared = [&](const Ranges& touched, const Ranges& declared) {
        return std::all_of(touched.begin(), touched.end(), [&](const LogRange& range) {
          return is_staging(range, rules) || contains(declared, range);
        });
      };
      if (is_declared(stage->reads, reads) && is_declared(stage->writes, writes)) continue;
      violations.add("ranges", {command.dispatch->seq, stage->seq}, [&] {
        return fmt::format("a stage of command {} touches bytes that the command did not declare",
                           command.id);
      });
    }
  }
}

}  // namespace petal::check
