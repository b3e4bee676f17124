// SPDX-License-Identifier: Apache-2.0
#include "petal/engines/recent_durations.hpp"

#include <boost/test/unit_test.hpp>
#include <random>

using namespace petal;

namespace {

/// A duration that tells which size and kind it was worked out for.
Picoseconds duration_of(std::uint64_t size, std::uint8_t kind) {
  return Picoseconds(static_cast<std::int64_t>(size * 7 + kind));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(recent_durations)

BOOST_AUTO_TEST_CASE(a_duration_is_worked_out_once) {
  RecentDurations durations;
  int worked_out = 0;
  const auto get = [&](std::uint64_t size, std::uint8_t kind) {
    return durations.get(size, kind, [&] {
      ++worked_out;
      return duration_of(size, kind);
    });
  };
  for (int i = 0; i < 3; ++i) BOOST_TEST(get(4096, 1).count() == duration_of(4096, 1).count());
  BOOST_TEST(worked_out == 1);
  BOOST_TEST(get(4096, 0).count() == duration_of(4096, 0).count());
  BOOST_TEST(worked_out == 2);
}

// Not even for size 0 of kind 0, which is what the rest of an unused entry says.
BOOST_AUTO_TEST_CASE(nothing_is_known_at_first) {
  RecentDurations durations;
  BOOST_TEST(durations.get(0, 0, [] { return Picoseconds(5); }).count() == 5);
}

// More sizes and kinds than there are entries: what is forgotten is worked out again, never mistaken.
BOOST_AUTO_TEST_CASE(durations_are_never_confused) {
  constexpr unsigned kSeed = 13;
  std::mt19937_64 random(kSeed);
  RecentDurations durations;
  for (int round = 0; round < 20000; ++round) {
    const std::uint64_t size = random() % (round % 2 == 0 ? 300 : std::uint64_t{1} << 32U);
    const auto kind = static_cast<std::uint8_t>(random() % 24);
    BOOST_TEST_REQUIRE(durations.get(size, kind, [&] { return duration_of(size, kind); }).count() ==
                           duration_of(size, kind).count(),
                       "seed " << kSeed << ", round " << round);
  }
}

BOOST_AUTO_TEST_SUITE_END()
