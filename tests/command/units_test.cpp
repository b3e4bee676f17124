// SPDX-License-Identifier: Apache-2.0
#include "petal/command/units.hpp"

#include <boost/test/unit_test.hpp>

using namespace petal;

BOOST_AUTO_TEST_SUITE(units)

BOOST_AUTO_TEST_CASE(cycles_become_picoseconds_rounded_once) {
  // 43.375 * 1000 / 1.3 = 33365.38...; a rounded period of 769 ps would give 33355.
  const Picoseconds one = ClockFrequency(1.3).duration_of(Cycles(43.375));
  BOOST_TEST(one.count() == 33365);
  Picoseconds sum{0};
  for (int command = 0; command < 1000; ++command) sum += one;
  BOOST_TEST(sum.count() == 33365000);
  // All at once: 43375 * 1000 / 1.3 = 33365384.6, so the sum of single durations is within 1 ps a command.
  BOOST_TEST(ClockFrequency(1.3).duration_of(Cycles(43375)).count() == 33365385);
}

BOOST_AUTO_TEST_CASE(frequencies_without_a_whole_period_do_not_drift) {
  // 1000 / 0.7 = 1428.57; 43375 / 0.7 = 61964.29; 7 cycles are 10000 exactly.
  BOOST_TEST(ClockFrequency(0.7).duration_of(Cycles(1)).count() == 1429);
  BOOST_TEST(ClockFrequency(0.7).duration_of(Cycles(43.375)).count() == 61964);
  BOOST_TEST(ClockFrequency(0.7).duration_of(Cycles(7)).count() == 10000);
  // At 1/3 GHz a cycle is 3000 ps: 43.375 * 3000 = 130125.
  BOOST_TEST(ClockFrequency(1.0 / 3.0).duration_of(Cycles(1)).count() == 3000);
  BOOST_TEST(ClockFrequency(1.0 / 3.0).duration_of(Cycles(43.375)).count() == 130125);
}

BOOST_AUTO_TEST_CASE(half_a_picosecond_rounds_away_from_zero) {
  BOOST_TEST(ClockFrequency(1.0).duration_of(Cycles(0.0005)).count() == 1);
  BOOST_TEST(ClockFrequency(1.0).duration_of(Cycles(0.0004)).count() == 0);
  BOOST_TEST(ClockFrequency(1.0).duration_of(Cycles(0)).count() == 0);
}

BOOST_AUTO_TEST_CASE(bandwidth_is_bytes_a_nanosecond_and_unlimited_takes_no_time) {
  BOOST_TEST(Bandwidth(32).duration_of(Bytes(256)).count() == 8000);  // 256 / 32 = 8 ns
  BOOST_TEST(Bandwidth(512).duration_of(Bytes(1)).count() == 2);      // 1000 / 512 = 1.95
  BOOST_TEST(Bandwidth(512).duration_of(Bytes(0)).count() == 0);
  BOOST_TEST(Bandwidth::unlimited().duration_of(Bytes(1U << 30U)).count() == 0);
  BOOST_TEST(Bandwidth::unlimited().is_unlimited());
}

BOOST_AUTO_TEST_CASE(quantities_add_and_compare_as_numbers) {
  Bytes bytes(40);
  bytes += Bytes(2);
  bytes -= Bytes(1);
  BOOST_TEST(bytes.count() == 41U);
  BOOST_TEST((bytes + Bytes(1)).count() == 42U);
  BOOST_TEST((bytes - Bytes(1)).count() == 40U);
  BOOST_TEST((Bytes(1) < Bytes(2) && Bytes(2) > Bytes(1) && Bytes(2) >= Bytes(2) && Bytes(2) <= Bytes(2)));
  BOOST_TEST((Bytes(1) != Bytes(2) && !(Bytes(1) == Bytes(2))));
}

BOOST_AUTO_TEST_SUITE_END()
