// SPDX-License-Identifier: Apache-2.0
//
// HazardTracker: which commands in flight a new one conflicts with (ADR-0065 D6.3): read after write, write
// after read, write after write, each by overlap of bytes, so that reused scratch is safe too.
#pragma once

#include <memory>
#include <vector>

#include "petal/command/hazard_ranges.hpp"

namespace petal {

class HazardTracker {
 public:
  HazardTracker() { commands_.push_back(std::make_unique<Command>()); }
  /// The ranges of the command that may be added next, to be written here: adding it moves none of them.
  HazardRanges& candidate() { return commands_[in_flight_]->ranges; }
  /// The candidate is in flight; the next one's ranges are without meaning until they are written.
  void add_candidate(CompletionId command);
  /// Precondition: `command` was added and not removed.
  void remove(CompletionId command);
  /// Nothing is in flight.
  void clear() { in_flight_ = 0; }
  std::size_t in_flight() const { return in_flight_; }
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
  using Commands = std::vector<std::unique_ptr<Command>>;
  Commands::const_iterator end_of_flight() const;

  // Those in flight, in the order they were added; then the candidate; then some that are kept for their
  // memory.
  Commands commands_;
  std::size_t in_flight_ = 0;
};

}  // namespace petal
