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
  return any_overlap(earlier.writes, later.reads) || any_overlap(earlier.reads, later.writes) ||
         any_overlap(earlier.writes, later.writes);
}

}  // namespace

HazardTracker::Commands::const_iterator HazardTracker::end_of_flight() const {
  return commands_.begin() + static_cast<std::ptrdiff_t>(in_flight_);
}

void HazardTracker::add_candidate(CompletionId command) {
  commands_[in_flight_++]->id = command;
  if (in_flight_ == commands_.size()) commands_.push_back(std::make_unique<Command>());
}

void HazardTracker::remove(CompletionId command) {
  const auto behind_candidate = commands_.begin() + static_cast<std::ptrdiff_t>(in_flight_ + 1);
  const auto found =
      std::find_if(commands_.begin(), behind_candidate,
                   [command](const std::unique_ptr<Command>& entry) { return entry->id == command; });
  std::rotate(found, found + 1, behind_candidate);
  --in_flight_;
}

bool HazardTracker::is_in_flight(CompletionId command) const {
  return std::any_of(commands_.begin(), end_of_flight(),
                     [command](const std::unique_ptr<Command>& entry) { return entry->id == command; });
}

bool HazardTracker::has_conflict(const HazardRanges& ranges) const {
  return std::any_of(commands_.begin(), end_of_flight(), [&ranges](const std::unique_ptr<Command>& entry) {
    return conflict(entry->ranges, ranges);
  });
}

std::vector<CompletionId> HazardTracker::all() const {
  std::vector<CompletionId> ids;
  ids.reserve(in_flight_);
  for (auto entry = commands_.begin(); entry != end_of_flight(); ++entry) ids.push_back((*entry)->id);
  return ids;
}

std::vector<CompletionId> HazardTracker::conflicts(const HazardRanges& ranges) const {
  std::vector<CompletionId> ids;
  for (auto entry = commands_.begin(); entry != end_of_flight(); ++entry)
    if (conflict((*entry)->ranges, ranges)) ids.push_back((*entry)->id);
  return ids;
}

}  // namespace petal
