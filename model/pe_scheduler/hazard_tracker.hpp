// SPDX-License-Identifier: Apache-2.0
//
// HazardTracker: which commands in flight a new one conflicts with (ADR-0065 D6.3): read after write, write
// after read, write after write, each by overlap of bytes, so that reused scratch is safe too.
#pragma once

#include <vector>

#include "petal/command/hazard_ranges.hpp"

namespace petal {

class HazardTracker {
 public:
  void add(CompletionId command, HazardRanges ranges);
  /// Precondition: `command` was added and not removed.
  void remove(CompletionId command);
  std::size_t in_flight() const { return commands_.size(); }
  bool is_in_flight(CompletionId command) const;
  /// True if `ranges` conflicts with any command in flight.
  bool has_conflict(const HazardRanges& ranges) const;
  /// The commands in flight, in the order they were added.
  std::vector<CompletionId> all() const;
  /// Those among them that `ranges` conflicts with.
  std::vector<CompletionId> conflicts(const HazardRanges& ranges) const;

 private:
  struct Command {
    CompletionId id = kNoCompletion;
    HazardRanges ranges;
  };
  std::vector<Command> commands_;
};

}  // namespace petal
