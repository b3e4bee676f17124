// SPDX-License-Identifier: Apache-2.0
#include "petal/pe_scheduler/hazard_tracker.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using namespace petal;
using Ids = std::vector<CompletionId>;

constexpr ByteRange kX{Space::tcm, 100, 200};
constexpr ByteRange kY{Space::tcm, 300, 400};
constexpr ByteRange kZ{Space::tcm, 500, 600};

HazardRanges reads_and_writes(const ByteRange& read, const ByteRange& write) {
  return {{read}, {write}};
}

void add(HazardTracker& tracker, CompletionId command, const HazardRanges& ranges) {
  tracker.candidate() = ranges;
  tracker.add_candidate(command);
}

/// Whether a command with ranges `later` conflicts with one in flight that has `earlier`.
bool conflict(const HazardRanges& earlier, const HazardRanges& later) {
  HazardTracker tracker;
  add(tracker, 1, earlier);
  BOOST_TEST(tracker.has_conflict(later) == !tracker.conflicts(later).empty());
  return tracker.has_conflict(later);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(hazard_tracker)

BOOST_AUTO_TEST_CASE(read_after_write_alone_conflicts) {
  BOOST_TEST(conflict(reads_and_writes(kY, kX), reads_and_writes(kX, kZ)));
}

BOOST_AUTO_TEST_CASE(write_after_read_alone_conflicts) {
  BOOST_TEST(conflict(reads_and_writes(kX, kY), reads_and_writes(kZ, kX)));
}

BOOST_AUTO_TEST_CASE(write_after_write_alone_conflicts) {
  BOOST_TEST(conflict(reads_and_writes(kY, kX), reads_and_writes(kZ, kX)));
}

BOOST_AUTO_TEST_CASE(read_after_read_does_not_conflict) {
  BOOST_TEST(!conflict(reads_and_writes(kX, kY), reads_and_writes(kX, kZ)));
}

BOOST_AUTO_TEST_CASE(the_same_addresses_of_two_memories_do_not_conflict) {
  const ByteRange hbm{Space::hbm, kX.begin, kX.end};
  BOOST_TEST(!conflict({{}, {kX}}, {{hbm}, {hbm}}));
}

BOOST_AUTO_TEST_CASE(one_common_byte_conflicts_and_neighbours_do_not) {
  const HazardRanges writes_x{{}, {kX}};
  BOOST_TEST(conflict(writes_x, {{{Space::tcm, 199, 250}}, {}}));
  BOOST_TEST(conflict(writes_x, {{{Space::tcm, 50, 101}}, {}}));
  BOOST_TEST(conflict(writes_x, {{{Space::tcm, 120, 130}}, {}}));
  BOOST_TEST(!conflict(writes_x, {{{Space::tcm, 200, 250}}, {}}));
  BOOST_TEST(!conflict(writes_x, {{{Space::tcm, 50, 100}}, {}}));
}

BOOST_AUTO_TEST_CASE(an_empty_range_conflicts_with_nothing) {
  BOOST_TEST(!conflict({{}, {kX}}, {{{Space::tcm, 150, 150}}, {{Space::tcm, 150, 150}}}));
}

BOOST_AUTO_TEST_CASE(every_range_of_a_command_counts) {
  BOOST_TEST(conflict({{kY}, {kZ, kX}}, {{{Space::tcm, 0, 8}, kX}, {}}));
}

BOOST_AUTO_TEST_CASE(conflicts_name_all_that_conflict_and_no_others) {
  HazardTracker tracker;
  add(tracker, 11, {{}, {kX}});
  add(tracker, 12, {{}, {kY}});
  add(tracker, 13, {{kX}, {kZ}});
  BOOST_TEST((tracker.conflicts({{}, {kX}}) == Ids{11, 13}));
  BOOST_TEST((tracker.conflicts({{kX}, {}}) == Ids{11}));
  BOOST_TEST((tracker.conflicts({{{Space::tcm, 0, 50}}, {}}) == Ids{}));
  BOOST_TEST((tracker.all() == Ids{11, 12, 13}));
}

BOOST_AUTO_TEST_CASE(a_completed_command_conflicts_no_more) {
  HazardTracker tracker;
  add(tracker, 11, {{}, {kX}});
  add(tracker, 12, {{}, {kX}});
  tracker.remove(11);
  BOOST_TEST((tracker.conflicts({{kX}, {}}) == Ids{12}));
  BOOST_TEST(tracker.in_flight() == 1U);
  tracker.remove(12);
  BOOST_TEST(tracker.conflicts({{kX}, {}}).empty());
  BOOST_TEST(tracker.in_flight() == 0U);
}

BOOST_AUTO_TEST_CASE(a_candidate_keeps_its_ranges_while_others_complete) {
  HazardTracker tracker;
  for (const CompletionId id : {11U, 12U, 13U}) add(tracker, id, {{}, {kX}});
  tracker.candidate() = {{}, {kY}};
  tracker.remove(12);
  tracker.remove(11);
  tracker.add_candidate(14);
  BOOST_TEST((tracker.all() == Ids{13, 14}));
  BOOST_TEST((tracker.conflicts({{kY}, {}}) == Ids{14}));
}

BOOST_AUTO_TEST_SUITE_END()
