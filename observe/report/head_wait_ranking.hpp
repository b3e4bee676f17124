// SPDX-License-Identifier: Apache-2.0
//
// HeadWaitRanking: which commands stood longest at the queue's head, and behind which others. Two lists: the
// longest waits one by one, and all waits added up by pairs of command classes.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "petal/observe/observer.hpp"
#include "petal/report/command_classes.hpp"

namespace petal {

/// Two accesses to the same bytes, of which one at least is a write.
struct RangeConflict {
  std::string
      hazards;  ///< "RAW": the waiting command reads what the earlier one writes; "WAR", "WAW"; or several
  ByteRange range;  ///< the bytes that both touch
};

struct WaitedFor {
  CompletionId command = kNoCompletion;
  CommandClasses::Id command_class = 0;
  std::vector<RangeConflict> conflicts;  ///< empty where the order alone holds the command back
};

struct HeadWaitRecord {
  PeIndex pe = 0;
  HeadWait reason = HeadWait::hazard;
  Picoseconds start;
  Picoseconds end;
  CompletionId command = kNoCompletion;
  CommandClasses::Id command_class = 0;
  std::vector<WaitedFor> waited_for;
  std::optional<CompletionId> released_by;  ///< the one whose completion ended the wait

  Picoseconds duration() const { return end - start; }
};

/// Waits of one class of command that ended when one of another class completed.
struct HeadWaitPair {
  HeadWait reason = HeadWait::hazard;
  CommandClasses::Id command_class = 0;
  std::optional<CommandClasses::Id> released_by;
  std::uint64_t waits = 0;
  Picoseconds total{0};
  HeadWaitRecord longest;  ///< of equals the earliest, on the first PE
};

class HeadWaitRanking : public Observer {
 public:
  /// Keeps the `limit` longest waits; of equals the earliest, on the first PE.
  explicit HeadWaitRanking(std::size_t pes, std::size_t limit = 20) : pes_(pes), limit_(limit) {}

  void on_take(const TakeEvent& event) override;
  void on_hazard_wait(const HazardWaitEvent& event) override;
  void on_complete(const CompleteEvent& event) override;

  /// Longest first.
  const std::vector<HeadWaitRecord>& longest() const { return longest_; }
  /// Largest total first.
  std::vector<HeadWaitPair> pairs() const;
  const std::vector<CommandClass>& classes() const { return classes_.classes(); }

 private:
  /// A command that one at the head may be waiting for.
  struct Recent {
    CommandSlice slice;
    Picoseconds completed = kNever;
  };
  using PairKey = std::tuple<HeadWait, CommandClasses::Id, std::int64_t>;

  const Recent* recent(PeIndex pe, CompletionId command) const;
  const Recent* released_by(const HazardWaitEvent& event) const;
  void add_to_pair(const HazardWaitEvent& event, const Recent* released_by);
  HeadWaitRecord record_of(const HazardWaitEvent& event, const Recent* released_by);

  std::vector<std::deque<Recent>> pes_;
  std::size_t limit_;
  CommandClasses classes_;
  std::vector<HeadWaitRecord> longest_;
  std::map<PairKey, HeadWaitPair> pairs_;
};

}  // namespace petal
