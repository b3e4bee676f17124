// SPDX-License-Identifier: Apache-2.0
//
// `petal check`: an op_log against the rules of SPEC 2, 4, 5 and 6, worked out again from the log's text
// alone. It shares no code with the model, so that a mistake there is not repeated here.
//
// Rules, by the names that violations carry:
//
//   format            head, columns, values, sorting, seq
//   config            the `# config:` line has every value the other rules need
//   dispatch          cycles == FIXED + logical_bytes * R; duration == llround(cycles * 1000 / GHz)
//   cap               no slice of a composite exceeds the cap
//   cpu-serial        a PE's CPU does one thing at a time; a queue wait follows its dispatch
//   order             completion ids rise; a command is at the queue's head after the one before it was
//   taken;
//                     a head wait ends with a completion; no stage before its command was taken and planned
//   queue-capacity    bytes pushed and not taken fit the queue
//   window            commands taken and not completed are at most max_in_flight
//   engine-exclusive  one stage at a time on each port (GEMM and MATH together if they share a slot)
//   dma-outstanding   transfers of a channel whose data has not arrived are at most pe_dma.outstanding
//   hazard            RAW, WAR, WAW: a later command starts after an earlier one it conflicts with has
//   completed;
//                     a composite that waits for a hazard waits for all earlier commands
//   ranges            a stage touches nothing outside the ranges its command declared
//   completion        each command completes once, when its last stage ends
//   segment-chain     slices of a composite are consecutive, each taken after the one before has completed
//   stage-order       FETCH after its DMA_READ, GEMM after its FETCHes, and so on within a command
//   staging           staging slots and out slots in use are at most tile_buffers
//   duration          each stage takes what its engine's formula says
//
// Ids must be unique within a PE's part of the log, and TCM addresses from `tcm.arena_bytes` on are the
// scheduler's staging, which is not part of what commands declare.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

namespace petal {

struct CheckViolation {
  std::string rule;
  std::vector<std::uint64_t> rows;  ///< seq of the rows it is about; empty for the head or the whole log
  std::string text;                 ///< one line without the rule and the rows
};

struct CheckReport {
  static constexpr std::size_t kMostListed = 100;

  std::uint64_t rows = 0;
  std::uint64_t commands = 0;  ///< dispatched slices; OverheadCmds are none
  std::uint64_t pes = 0;       ///< that appear in the log
  std::uint64_t violations = 0;
  std::map<std::string, std::uint64_t> by_rule;  ///< rules that were violated, and how often
  std::vector<CheckViolation> listed;            ///< the first kMostListed

  bool ok() const { return violations == 0; }
};

/// Checks the op_log in `log`. Any text gives a report; nothing is thrown for what it says.
CheckReport check_op_log(std::istream& log);

/// One line a listed violation, then a line that sums up.
std::string report_text(const CheckReport& report);

}  // namespace petal
