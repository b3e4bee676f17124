// SPDX-License-Identifier: Apache-2.0
//
// What a log's rows say of each command of a PE, put together: when it was pushed, when it came to the
// queue's head, when it was taken and when it completed. The log has no row for a take, so it is derived:
//
//     push    = end of the queue_wait row, else of the dispatch row
//     head    = the later of push and the take of the command before
//     take    = end of the last hazard_wait row, else the later of head and the planning of the command
//     before planned = take + plan_cycles_per_op * ops; no stage can start earlier
//
// The log does not say how many ops a slice has; those that have stages are taken for all of them.
#pragma once

#include <vector>

#include "petal/check/log_config.hpp"
#include "petal/check/log_file.hpp"
#include "petal/check/log_row.hpp"
#include "petal/check/violation_list.hpp"

namespace petal::check {

/// Rows belong to the LogFile that the timeline was made from.
struct CommandTimeline {
  std::uint64_t id = 0;
  const LogRow* dispatch = nullptr;  ///< never null
  std::vector<const LogRow*> queue_waits;
  std::vector<const LogRow*> head_waits;
  std::vector<const LogRow*> stages;  ///< in file order
  std::vector<const LogRow*> completes;
  Time push = 0;
  Time head = 0;
  Time take = 0;
  Time planned = 0;
  Time first_stage = 0;  ///< `planned` if it has no stage
  Time last_stage = 0;   ///< end of the stage that ends last; `planned` if it has none
  Time done = 0;         ///< its complete row, else `last_stage`

  /// Its complete row has how it failed in the place of its op. Stages of its may be missing.
  bool failed() const { return !completes.empty() && completes.front()->op != dispatch->op; }
  bool is_composite() const { return dispatch->is_composite; }
  /// True if `earlier` is another slice of the same composite.
  bool same_composite(const CommandTimeline& earlier) const {
    return dispatch->segments > 1 && earlier.dispatch->segments == dispatch->segments &&
           id - dispatch->segment == earlier.id - earlier.dispatch->segment;
  }
};

struct PeTimeline {
  std::uint64_t pe = 0;
  std::vector<CommandTimeline> commands;  ///< in dispatch order, OverheadCmds left out
  std::vector<const LogRow*> cpu;         ///< dispatch and queue_wait rows in file order
  std::vector<const LogRow*> stages;      ///< of all commands, in file order
};

/// One timeline for each PE that appears in `file`, by index. Reports rows of commands that were never
/// dispatched (rule `completion`) and ids that were dispatched twice (rule `order`); such rows are left out.
/// Times are not derived yet.
std::vector<PeTimeline> timelines_of(const LogFile& file, ViolationList& violations);

/// Fills in the times of `pe`'s commands. Without rules planning is taken to need no time.
void derive_times(PeTimeline& pe, const PeRules* rules);

}  // namespace petal::check
