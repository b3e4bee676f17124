// SPDX-License-Identifier: Apache-2.0
#include "petal/sweep/crossover.hpp"

#include <boost/test/unit_test.hpp>

namespace petal {
namespace {

using Places = std::vector<double>;

// opt3 issues 10 commands and 372 bytes a tile, opt2 2 and 380: at R = 1/16 they cost the same at FIXED =
// 1/16, and opt3 twice as much at 388 / 96.
std::vector<MeasuredPair> dispatch_at(const Places& fixed) {
  std::vector<MeasuredPair> pairs;
  for (const double cycles : fixed)
    pairs.push_back({cycles, 10 * cycles + 372 / 16.0, 2 * cycles + 380 / 16.0});
  return pairs;
}

BOOST_AUTO_TEST_SUITE(crossover)

BOOST_AUTO_TEST_CASE(straight_lines_meet_where_algebra_says) {
  const Places equal = crossings(dispatch_at({0, 1, 10, 40}), 1);
  BOOST_REQUIRE(equal.size() == 1U);
  BOOST_TEST(equal[0] == 0.0625, boost::test_tools::tolerance(1e-12));
  const Places twice = crossings(dispatch_at({40, 10, 0, 1}), 2);
  BOOST_REQUIRE(twice.size() == 1U);
  BOOST_TEST(twice[0] == 388.0 / 96, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_meeting_at_a_measured_place_counts_once) {
  BOOST_TEST((crossings({{1, 4, 5}, {2, 6, 6}, {3, 8, 7}}, 1) == Places{2}));
  BOOST_TEST((crossings({{1, 5, 5}, {2, 7, 6}}, 1) == Places{1}));
  BOOST_TEST((crossings({{1, 4, 5}, {2, 6, 6}}, 1) == Places{2}));
}

BOOST_AUTO_TEST_CASE(curves_may_meet_often_or_never) {
  BOOST_TEST((crossings({{0, 0, 1}, {1, 2, 1}, {2, 0, 1}}, 1) == Places{0.5, 1.5}));
  BOOST_TEST(crossings({{0, 1, 2}, {1, 1, 3}}, 1).empty());
  BOOST_TEST(crossings({}, 1).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
