// SPDX-License-Identifier: Apache-2.0
#include "petal/host/pending_tracker.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <random>

using namespace petal;

namespace {

constexpr std::uint64_t kMany = 65536;

std::vector<CompletionId> writers_of(const PendingTracker& tracker, std::uint64_t begin, std::uint64_t end,
                                     Space space = Space::tcm) {
  std::vector<CompletionId> writers;
  tracker.collect({space, begin, end}, writers);
  std::sort(writers.begin(), writers.end());
  writers.erase(std::unique(writers.begin(), writers.end()), writers.end());
  return writers;
}

using Ids = std::vector<CompletionId>;

}  // namespace

BOOST_AUTO_TEST_SUITE(pending_tracker)

BOOST_AUTO_TEST_CASE(finds_the_last_writer_of_each_byte) {
  PendingTracker tracker(kMany);
  tracker.record({Space::tcm, 0, 100}, 1);
  tracker.record({Space::tcm, 40, 60}, 2);
  BOOST_TEST((writers_of(tracker, 0, 40) == Ids{1}));
  BOOST_TEST((writers_of(tracker, 45, 50) == Ids{2}));
  BOOST_TEST((writers_of(tracker, 60, 61) == Ids{1}));
  BOOST_TEST((writers_of(tracker, 39, 41) == Ids{1, 2}));
  tracker.record({Space::tcm, 0, 100}, 3);
  BOOST_TEST((writers_of(tracker, 0, 100) == Ids{3}));
  BOOST_TEST(tracker.intervals() == 1U);
}

BOOST_AUTO_TEST_CASE(neighbours_and_the_other_memory_are_not_touched) {
  PendingTracker tracker(kMany);
  tracker.record({Space::tcm, 64, 128}, 1);
  BOOST_TEST(writers_of(tracker, 0, 64).empty());
  BOOST_TEST(writers_of(tracker, 128, 200).empty());
  BOOST_TEST(writers_of(tracker, 64, 128, Space::hbm).empty());
}

BOOST_AUTO_TEST_CASE(empty_ranges_write_and_read_nothing) {
  PendingTracker tracker(kMany);
  tracker.record({Space::tcm, 64, 64}, 1);
  BOOST_TEST(tracker.intervals() == 0U);
  tracker.record({Space::tcm, 0, 128}, 2);
  BOOST_TEST(writers_of(tracker, 64, 64).empty());
}

BOOST_AUTO_TEST_CASE(agrees_with_an_array_of_bytes) {
  constexpr unsigned kSeed = 20250101;
  BOOST_TEST_CONTEXT("seed " << kSeed) {
    std::mt19937 random(kSeed);
    const auto below = [&](std::uint64_t bound) { return random() % bound; };
    PendingTracker tracker(kMany);
    std::vector<CompletionId> bytes(256, 0);
    for (CompletionId id = 1; id <= 2000; ++id) {
      const std::uint64_t begin = below(256), end = begin + below(257 - begin);
      tracker.record({Space::tcm, begin, end}, id);
      std::fill(bytes.begin() + static_cast<long>(begin), bytes.begin() + static_cast<long>(end), id);
      const std::uint64_t from = below(256), to = from + below(257 - from);
      Ids expected(bytes.begin() + static_cast<long>(from), bytes.begin() + static_cast<long>(to));
      std::sort(expected.begin(), expected.end());
      expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
      expected.erase(std::remove(expected.begin(), expected.end(), 0U), expected.end());
      BOOST_REQUIRE((writers_of(tracker, from, to) == expected));
    }
  }
}

BOOST_AUTO_TEST_CASE(memory_is_bounded_by_what_can_be_outstanding) {
  PendingTracker tracker(1000);
  for (CompletionId id = 1; id <= 200000; ++id) {
    tracker.record({Space::hbm, id * 128, id * 128 + 64}, id);
    BOOST_REQUIRE(tracker.intervals() <= 2100U);
  }
  BOOST_TEST(tracker.has_forgotten());
  BOOST_TEST((writers_of(tracker, 200000 * 128, 200000 * 128 + 1, Space::hbm) == Ids{200000}));
  BOOST_TEST((writers_of(tracker, 199001 * 128, 199001 * 128 + 1, Space::hbm) == Ids{199001}));
}

// At 1024 + 1 intervals the tracker forgets what is more than 1000 commands old: writers before 25.
BOOST_AUTO_TEST_CASE(forgets_no_command_that_may_be_outstanding) {
  PendingTracker tracker(1000);
  for (CompletionId id = 1; id <= 1025; ++id) tracker.record({Space::hbm, id * 128, id * 128 + 64}, id);
  BOOST_TEST((writers_of(tracker, 25 * 128, 25 * 128 + 1, Space::hbm) == Ids{25}));
  BOOST_TEST(writers_of(tracker, 24 * 128, 24 * 128 + 1, Space::hbm).empty());
}

BOOST_AUTO_TEST_SUITE_END()
