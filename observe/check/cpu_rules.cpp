// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "petal/check/rules.hpp"

namespace petal::check {
namespace {

void check_cycles(const LogRow& row, const PeRules& rules, ViolationList& violations) {
  constexpr double kTolerance = 1e-9;  // relative: the product may be rounded in either of two places
  const double expected = rules.fixed_cycles + static_cast<double>(row.logical_bytes) * rules.cycles_per_byte;
  if (std::abs(row.cycles - expected) <= kTolerance * expected) return;
  violations.add("dispatch", {row.seq}, [&] {
    return fmt::format("command {} of {} bytes costs {} cycles, must be {} + {} x {} = {}", row.cmd,
                       row.logical_bytes, row.cycles, rules.fixed_cycles, row.logical_bytes,
                       rules.cycles_per_byte, expected);
  });
}

}  // namespace

void check_dispatch(const PeTimeline& pe, const PeRules& rules, ViolationList& violations) {
  for (const LogRow* const row : pe.cpu) {
    if (row->event != LogEvent::dispatch) continue;
    if (!row->is_overhead) check_cycles(*row, rules, violations);
    const Time expected = rules.time_of_cycles(row->cycles);
    if (row->end - row->start != expected)
      violations.add("dispatch", {row->seq}, [&] {
        return fmt::format("{} cycles at {} GHz take {} ps, must be {}", row->cycles, rules.clock_ghz,
                           row->end - row->start, expected);
      });
    if (row->is_composite && row->logical_bytes > rules.cap)
      violations.add("cap", {row->seq}, [&] {
        return fmt::format("slice {} has {} bytes, the cap is {}", row->cmd, row->logical_bytes, rules.cap);
      });
  }
}

void check_cpu_serial(const PeTimeline& pe, ViolationList& violations) {
  const LogRow* previous = nullptr;
  for (const LogRow* const row : pe.cpu) {
    if (previous != nullptr && row->start < previous->end)
      violations.add("cpu-serial", {previous->seq, row->seq}, [&] {
        return fmt::format("PE {}'s CPU is busy until {} ps but begins this at {} ps", pe.pe, previous->end,
                           row->start);
      });
    if (previous == nullptr || row->end > previous->end) previous = row;
  }
  for (const CommandTimeline& command : pe.commands) {
    if (command.queue_waits.empty()) continue;
    const LogRow& wait = *command.queue_waits.front();
    if (wait.start != command.dispatch->end || command.queue_waits.size() > 1)
      violations.add("cpu-serial", {command.dispatch->seq, wait.seq}, [&] {
        return fmt::format(
            "command {} waits for the queue from {} ps, must be once, from the end of its dispatch, {} ps",
            command.id, wait.start, command.dispatch->end);
      });
  }
}

}  // namespace petal::check
