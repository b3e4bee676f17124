// SPDX-License-Identifier: Apache-2.0
#include "petal/pe_cpu/dispatch_cost.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdlib>

namespace {

using namespace petal;

}  // namespace

BOOST_AUTO_TEST_SUITE(dispatch_cost)

BOOST_AUTO_TEST_CASE(a_command_costs_a_fixed_part_and_its_bytes) {
  BOOST_TEST(dispatch_cycles({}, Bytes(54)).count() == 43.375);   // 40 + 54/16
  BOOST_TEST(dispatch_cycles({}, Bytes(322)).count() == 60.125);  // 40 + 322/16
  BOOST_TEST(dispatch_cycles({0.0, 0.25, 1024}, Bytes(54)).count() == 13.5);
  BOOST_TEST(dispatch_cycles({16.0, 0.0, 1024}, Bytes(54)).count() == 16.0);
}

// 43.375 cycles are 33365.38... ps at 1.3 GHz; each duration is rounded once, and rounded periods are never
// added.
BOOST_AUTO_TEST_CASE(a_thousand_commands_at_an_uneven_clock_end_within_a_picosecond_each) {
  const ClockFrequency clock(1.3);
  Picoseconds end{0};
  for (int command = 0; command < 1000; ++command) end += clock.duration_of(dispatch_cycles({}, Bytes(54)));
  BOOST_TEST(end.count() == 33365000);
  BOOST_TEST(std::abs(end.count() - 33365385) <= 1000);
}

// Two slices of one composite: 2*40 + (200 + 122)/16.
BOOST_AUTO_TEST_CASE(segments_pay_the_fixed_part_each_and_their_bytes_once) {
  const Cycles slices = dispatch_cycles({}, Bytes(200)) + dispatch_cycles({}, Bytes(122));
  BOOST_TEST(slices.count() == 100.125);
}

BOOST_AUTO_TEST_SUITE_END()
