// SPDX-License-Identifier: Apache-2.0
#include "petal/pe_scheduler/hazard_tracker.hpp"

#include <algorithm>

namespace petal {
namespace {

bool any_overlap(const HazardRanges::List& left, const HazardRanges::List& right) {
  for (const ByteRange& a : left)
    for (const ByteRange& b : right)
      if (a.overlaps(b)) return true;
  return false;
}

bool conflict(const HazardRanges& earlier, const HazardRanges& later) {
  const bool read_after_write = any_overlap(earlier.writes, later.reads);
  const bool write_after_read = any_overlap(earlier.reads, later.writes);
  const bool write_after_write = any_overlap(earlier.writes, later.writes);
  return read_after_write || write_after_read || write_after_write;
}

}  // namespace

void HazardTracker::add(CompletionId command, HazardRanges ranges) {
  Command& added = commands_.emplace_back();
  added.id = command;
  added.ranges = std::move(ranges);
}

void HazardTracker::remove(CompletionId command) {
  commands_.erase(std::find_if(commands_.begin(), commands_.end(),
                               [command](const Command& entry) { return entry.id == command; }));
}

bool HazardTracker::is_in_flight(CompletionId command) const {
  return std::any_of(commands_.begin(), commands_.end(),
                     [command](const Command& entry) { return entry.id == command; });
}

bool HazardTracker::has_conflict(const HazardRanges& ranges) const {
  return std::any_of(commands_.begin(), commands_.end(),
                     [&ranges](const Command& entry) { return conflict(entry.ranges, ranges); });
}

std::vector<CompletionId> HazardTracker::all() const {
  std::vector<CompletionId> ids;
  ids.reserve(commands_.size());
  for (const Command& command : commands_) ids.push_back(command.id);
  return ids;
}

std::vector<CompletionId> HazardTracker::conflicts(const HazardRanges& ranges) const {
  std::vector<CompletionId> ids;
  for (const Command& command : commands_)
    if (conflict(command.ranges, ranges)) ids.push_back(command.id);
  return ids;
}

}  // namespace petal
