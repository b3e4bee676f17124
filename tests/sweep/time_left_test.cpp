// SPDX-License-Identifier: Apache-2.0
#include "petal/sweep/time_left.hpp"

#include <boost/test/unit_test.hpp>

namespace petal {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

BOOST_AUTO_TEST_SUITE(time_left)

BOOST_AUTO_TEST_CASE(the_rest_takes_as_long_as_what_is_done) {
  BOOST_TEST(time_left_text(seconds(10), 5, 5) == "10 s left");
  BOOST_TEST(time_left_text(milliseconds(1500), 3, 1) == "1 s left");  // half a second, rounded up
  BOOST_TEST(time_left_text(seconds(10), 10, 130) == "2 min 10 s left");
  BOOST_TEST(time_left_text(seconds(100), 10, 390) == "1 h 5 min left");
  BOOST_TEST(time_left_text(seconds(100), 10, 0) == "0 s left");
}

BOOST_AUTO_TEST_CASE(before_a_point_is_done_nobody_knows) {
  BOOST_TEST(time_left_text(seconds(10), 0, 5) == "");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
