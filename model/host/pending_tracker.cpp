// SPDX-License-Identifier: Apache-2.0
#include "petal/host/pending_tracker.hpp"

#include <algorithm>
#include <iterator>

namespace petal {
namespace {

constexpr std::size_t kFewestIntervals = 1024;

std::size_t index_of(Space space) {
  return space == Space::hbm ? 0 : 1;
}

}  // namespace

void PendingTracker::record(const ByteRange& range, CompletionId writer) {
  if (range.empty()) return;
  IntervalMap& map = maps_[index_of(range.space)];
  // Kernels write the same tensors again and again.
  const auto known = map.find(range.begin);
  if (known != map.end() && known->second.end == range.end)
    known->second.writer = writer;
  else
    replace(map, range, writer);
  if (intervals() > forget_above_ && writer > max_outstanding_) forget_before(writer - max_outstanding_);
}

void PendingTracker::replace(IntervalMap& map, const ByteRange& range, CompletionId writer) {
  cut_at(map, range.begin);
  cut_at(map, range.end);
  const auto first = map.erase(map.lower_bound(range.begin), map.lower_bound(range.end));
  map.emplace_hint(first, range.begin, Interval{range.end, writer});
}

void PendingTracker::collect(const ByteRange& range, std::vector<CompletionId>& writers) const {
  if (range.empty()) return;
  const IntervalMap& map = maps_[index_of(range.space)];
  auto entry = map.upper_bound(range.begin);
  if (entry != map.begin() && std::prev(entry)->second.end > range.begin) --entry;
  for (; entry != map.end() && entry->first < range.end; ++entry) writers.push_back(entry->second.writer);
}

void PendingTracker::cut_at(IntervalMap& map, std::uint64_t address) {
  const auto after = map.upper_bound(address);
  if (after == map.begin()) return;
  const auto entry = std::prev(after);
  if (entry->first == address || entry->second.end <= address) return;
  map.emplace_hint(after, address, entry->second);
  entry->second.end = address;
}

void PendingTracker::forget_before(CompletionId oldest) {
  for (IntervalMap& map : maps_)
    for (auto entry = map.begin(); entry != map.end();) {
      const bool is_old = entry->second.writer < oldest;
      has_forgotten_ = has_forgotten_ || is_old;
      entry = is_old ? map.erase(entry) : std::next(entry);
    }
  forget_above_ = std::max(kFewestIntervals, 2 * intervals());
}

}  // namespace petal
