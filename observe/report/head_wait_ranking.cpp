// SPDX-License-Identifier: Apache-2.0
#include "petal/report/head_wait_ranking.hpp"

#include <algorithm>

#include "petal/command/hazard_ranges.hpp"

namespace petal {
namespace {

bool ranks_before(const HeadWaitRecord& a, const HeadWaitRecord& b) {
  return std::make_tuple(-a.duration().count(), a.start.count(), a.pe) <
         std::make_tuple(-b.duration().count(), b.start.count(), b.pe);
}

/// What ranks a wait.
HeadWaitRecord outline_of(const HazardWaitEvent& event) {
  HeadWaitRecord record;
  record.pe = event.pe;
  record.reason = event.reason;
  record.start = event.start;
  record.end = event.end;
  record.command = event.slice.completion;
  return record;
}

void add_conflict(std::vector<RangeConflict>& conflicts, const char* hazard, const ByteRange& range) {
  for (RangeConflict& known : conflicts)
    if (known.range == range) {
      known.hazards += std::string(" ") + hazard;
      return;
    }
  conflicts.push_back({hazard, range});
}

void add_conflicts(std::vector<RangeConflict>& conflicts, const char* hazard, const HazardRanges::List& later,
                   const HazardRanges::List& earlier) {
  for (const ByteRange& a : later)
    for (const ByteRange& b : earlier)
      if (a.overlaps(b))
        add_conflict(conflicts, hazard, {a.space, std::max(a.begin, b.begin), std::min(a.end, b.end)});
}

std::vector<RangeConflict> conflicts_of(const CommandSlice& later, const CommandSlice& earlier) {
  const HazardRanges a = hazard_ranges(later);
  const HazardRanges b = hazard_ranges(earlier);
  std::vector<RangeConflict> conflicts;
  add_conflicts(conflicts, "RAW", a.reads, b.writes);
  add_conflicts(conflicts, "WAR", a.writes, b.reads);
  add_conflicts(conflicts, "WAW", a.writes, b.writes);
  return conflicts;
}

}  // namespace

/// What completed before this take is in no later wait.
void HeadWaitRanking::on_take(const TakeEvent& event) {
  std::deque<Recent>& recents = pes_[event.pe];
  recents.erase(std::remove_if(recents.begin(), recents.end(),
                               [](const Recent& recent) { return recent.completed != kNever; }),
                recents.end());
  recents.push_back({event.slice});
}

void HeadWaitRanking::on_complete(const CompleteEvent& event) {
  for (Recent& recent : pes_[event.pe])
    if (recent.slice.completion == event.slice.completion) recent.completed = event.at;
}

const HeadWaitRanking::Recent* HeadWaitRanking::recent(PeIndex pe, CompletionId command) const {
  const auto found = std::find_if(pes_[pe].begin(), pes_[pe].end(), [command](const Recent& recent) {
    return recent.slice.completion == command;
  });
  return found == pes_[pe].end() ? nullptr : &*found;
}

const HeadWaitRanking::Recent* HeadWaitRanking::released_by(const HazardWaitEvent& event) const {
  for (const CompletionId waited : event.waits_on) {
    const Recent* const earlier = recent(event.pe, waited);
    if (earlier != nullptr && earlier->completed == event.end) return earlier;
  }
  return nullptr;
}

void HeadWaitRanking::on_hazard_wait(const HazardWaitEvent& event) {
  const Recent* const releaser = released_by(event);
  add_to_pair(event, releaser);
  const auto place = std::upper_bound(longest_.begin(), longest_.end(), outline_of(event), ranks_before);
  if (longest_.size() == limit_ && place == longest_.end()) return;
  longest_.insert(place, record_of(event, releaser));
  if (longest_.size() > limit_) longest_.pop_back();
}

HeadWaitRecord HeadWaitRanking::record_of(const HazardWaitEvent& event, const Recent* released_by) {
  HeadWaitRecord record = outline_of(event);
  record.command_class = classes_.id_of(event.slice);
  if (released_by != nullptr) record.released_by = released_by->slice.completion;
  for (const CompletionId waited : event.waits_on) {
    const Recent* const earlier = recent(event.pe, waited);
    if (earlier == nullptr) continue;
    record.waited_for.push_back({waited, classes_.id_of(earlier->slice),
                                 event.reason == HeadWait::hazard ? conflicts_of(event.slice, earlier->slice)
                                                                  : std::vector<RangeConflict>()});
  }
  return record;
}

void HeadWaitRanking::add_to_pair(const HazardWaitEvent& event, const Recent* released_by) {
  const CommandClasses::Id command_class = classes_.id_of(event.slice);
  std::optional<CommandClasses::Id> releaser;
  if (released_by != nullptr) releaser = classes_.id_of(released_by->slice);
  const PairKey key{event.reason, command_class, releaser ? std::int64_t{*releaser} : -1};
  HeadWaitPair& pair = pairs_[key];
  pair.reason = event.reason;
  pair.command_class = command_class;
  pair.released_by = releaser;
  if (pair.waits == 0 || ranks_before(outline_of(event), pair.longest))
    pair.longest = record_of(event, released_by);
  ++pair.waits;
  pair.total += event.end - event.start;
}

std::vector<HeadWaitPair> HeadWaitRanking::pairs() const {
  std::vector<HeadWaitPair> pairs;
  for (const auto& [key, pair] : pairs_) pairs.push_back(pair);
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const HeadWaitPair& a, const HeadWaitPair& b) { return a.total > b.total; });
  return pairs;
}

}  // namespace petal
