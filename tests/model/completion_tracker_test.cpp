// SPDX-License-Identifier: Apache-2.0
#include "petal/pe_cpu/completion_tracker.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <numeric>
#include <random>
#include <vector>

namespace {

using petal::CompletionId;
using petal::CompletionTracker;

}  // namespace

BOOST_AUTO_TEST_SUITE(completion_tracker)

BOOST_AUTO_TEST_CASE(nothing_issued_is_all_complete_and_no_completion_never_waits) {
  const CompletionTracker tracker;
  BOOST_TEST(tracker.all_complete());
  BOOST_TEST(tracker.is_complete(petal::kNoCompletion));
  BOOST_TEST(!tracker.is_complete(1));
}

BOOST_AUTO_TEST_CASE(a_completion_says_nothing_about_earlier_ones) {
  CompletionTracker tracker;
  for (CompletionId id = 1; id <= 3; ++id) tracker.issued(id);
  tracker.completed(2);
  BOOST_TEST(!tracker.is_complete(1));
  BOOST_TEST(tracker.is_complete(2));
  BOOST_TEST(!tracker.is_complete(3));
  BOOST_TEST(tracker.first_outstanding() == 1U);
  tracker.completed(1);
  BOOST_TEST(tracker.first_outstanding() == 3U);
  BOOST_TEST(!tracker.all_complete());
  tracker.completed(3);
  BOOST_TEST(tracker.all_complete());
}

BOOST_AUTO_TEST_CASE(any_order_of_completions_ends_with_all_complete) {
  constexpr std::uint64_t kSeed = 20260304;
  std::mt19937_64 random(kSeed);
  std::vector<CompletionId> ids(200);
  std::iota(ids.begin(), ids.end(), CompletionId{1});
  for (int round = 0; round < 20; ++round) {
    std::shuffle(ids.begin(), ids.end(), random);
    CompletionTracker tracker;
    for (CompletionId id = 1; id <= ids.size(); ++id) tracker.issued(id);
    std::vector<bool> complete(ids.size() + 1, false);
    for (const CompletionId id : ids) {
      BOOST_TEST_REQUIRE(!tracker.all_complete());
      tracker.completed(id);
      complete[id] = true;
      const auto oldest = std::find(complete.begin() + 1, complete.end(), false);
      if (oldest != complete.end())
        BOOST_TEST_REQUIRE(
            tracker.first_outstanding() == static_cast<CompletionId>(oldest - complete.begin()),
            "seed " << kSeed << ", round " << round);
    }
    BOOST_TEST_REQUIRE(tracker.all_complete());
  }
}

BOOST_AUTO_TEST_SUITE_END()
