// SPDX-License-Identifier: Apache-2.0
//
// The firmware's conversions against the compiler's _Float16.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

extern "C" {
#include "compiler_half.h"
#include "half.h"
}

namespace {

float float_of(std::uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

void check_rounding(float value) {
  if (half_from_float(value) != compiler_half_from_float(value))
    BOOST_ERROR("half_from_float(" << value << ") is " << half_from_float(value) << ", the compiler's is "
                                   << compiler_half_from_float(value));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(half)

BOOST_AUTO_TEST_CASE(every_half_becomes_its_float) {
  for (std::uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const float ours = float_from_half(half);
    const float theirs = compiler_float_from_half(half);
    if (!(ours == theirs || (std::isnan(ours) && std::isnan(theirs))) ||
        std::signbit(ours) != std::signbit(theirs))
      BOOST_ERROR("half " << half << " is " << ours << ", the compiler's is " << theirs);
  }
}

// Around every half, its neighbours and the middle between them: floats that round down, to even, and up.
BOOST_AUTO_TEST_CASE(floats_round_to_the_nearest_half) {
  for (std::uint32_t bits = 0; bits < 0x7C00; ++bits) {
    const float half = compiler_float_from_half(static_cast<std::uint16_t>(bits));
    const float next = compiler_float_from_half(static_cast<std::uint16_t>(bits + 1));
    const float middle = bits == 0x7BFF ? 65520.0F : (half + next) / 2;
    for (const float value : {half, middle, std::nextafterf(middle, 0.0F), std::nextafterf(middle, 1e9F)}) {
      check_rounding(value);
      check_rounding(-value);
    }
  }
}

BOOST_AUTO_TEST_CASE(floats_of_every_exponent_round) {
  for (std::uint32_t bits = 0; bits < 0x7F800000; bits += 0x12345) check_rounding(float_of(bits));
  check_rounding(std::numeric_limits<float>::infinity());
  check_rounding(std::numeric_limits<float>::denorm_min());
  BOOST_TEST((half_from_float(std::nanf("")) & 0x7C00) == 0x7C00);
  BOOST_TEST((half_from_float(std::nanf("")) & 0x03FF) != 0);
}

BOOST_AUTO_TEST_SUITE_END()
