// SPDX-License-Identifier: Apache-2.0
#include "petal/numerics/element_codec.hpp"

#include <Eigen/Core>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "numerics/numbers.hpp"

namespace {

using namespace petal;
using petal::test::bits;
using petal::test::kInfinity;
using petal::test::kNan;

template <typename Stored>
float decoded(DType dtype, Stored stored) {
  std::byte bytes[sizeof(stored)];
  std::memcpy(bytes, &stored, sizeof(stored));
  float value = 0;
  decode(bytes, dtype, &value, 1);
  return value;
}

template <typename Stored, typename Number, typename Encode>
Stored encoded_by(Encode encode_elements, DType dtype, Number value) {
  std::byte bytes[sizeof(Stored)];
  encode_elements(&value, dtype, bytes, 1);
  Stored stored;
  std::memcpy(&stored, bytes, sizeof(stored));
  return stored;
}

template <typename Stored>
Stored encoded(DType dtype, float value) {
  return encoded_by<Stored>(encode, dtype, value);
}

template <typename Stored>
Stored encoded_double(DType dtype, double value) {
  return encoded_by<Stored>(encode_double, dtype, value);
}

template <typename Stored>
Stored encoded_integer(DType dtype, std::int32_t value) {
  return encoded_by<Stored>(encode_int, dtype, value);
}

/// What a magnitude's code stands for in a format with that many significand bits and that bias: the
/// definition.
double number_of(unsigned code, int significand_bits, int bias) {
  const int exponent = static_cast<int>(code >> static_cast<unsigned>(significand_bits));
  const double fraction = static_cast<double>(code & ((1U << static_cast<unsigned>(significand_bits)) - 1U)) /
                          std::ldexp(1.0, significand_bits);
  return exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1.0 + fraction, exponent - bias);
}

/// All codes of an 8-bit format against the definition; each is also what its number is written as.
void check_8_bit_format(DType dtype, int significand_bits, int bias, unsigned max_finite) {
  for (unsigned code = 0; code <= max_finite; ++code) {
    const double number = number_of(code, significand_bits, bias);
    const auto negative = static_cast<std::uint8_t>(code | 0x80U);
    BOOST_TEST(decoded(dtype, static_cast<std::uint8_t>(code)) == static_cast<float>(number), code);
    BOOST_TEST(decoded(dtype, negative) == static_cast<float>(-number), code);
    BOOST_TEST(encoded<std::uint8_t>(dtype, static_cast<float>(number)) == code);
    BOOST_TEST(encoded<std::uint8_t>(dtype, static_cast<float>(-number)) == negative);
  }
}

/// Between neighbours: below the middle down, above it up, in the middle to the even code.
void check_8_bit_rounding(DType dtype, int significand_bits, int bias, unsigned max_finite) {
  for (unsigned code = 0; code < max_finite; ++code) {
    const double middle =
        (number_of(code, significand_bits, bias) + number_of(code + 1, significand_bits, bias)) / 2;
    const auto tie = static_cast<float>(middle);
    const unsigned even = code % 2 == 0 ? code : code + 1;
    BOOST_TEST(encoded<std::uint8_t>(dtype, std::nextafterf(tie, 0.0F)) == code);
    BOOST_TEST(encoded<std::uint8_t>(dtype, tie) == even);
    BOOST_TEST(encoded<std::uint8_t>(dtype, std::nextafterf(tie, kInfinity)) == code + 1);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(element_codec)

BOOST_AUTO_TEST_CASE(every_f8e4m3_code_is_the_number_of_the_ocp_format) {
  check_8_bit_format(DType::f8e4m3, 3, 7, 0x7E);
  BOOST_TEST(decoded(DType::f8e4m3, std::uint8_t{0x7E}) == 448.0F);
  BOOST_TEST(std::isnan(decoded(DType::f8e4m3, std::uint8_t{0x7F})));
  BOOST_TEST(std::isnan(decoded(DType::f8e4m3, std::uint8_t{0xFF})));
}

BOOST_AUTO_TEST_CASE(every_f8e5m2_code_is_the_number_of_the_ocp_format) {
  check_8_bit_format(DType::f8e5m2, 2, 15, 0x7B);
  BOOST_TEST(decoded(DType::f8e5m2, std::uint8_t{0x7B}) == 57344.0F);
  BOOST_TEST(decoded(DType::f8e5m2, std::uint8_t{0x7C}) == kInfinity);
  BOOST_TEST(decoded(DType::f8e5m2, std::uint8_t{0xFC}) == -kInfinity);
  for (const unsigned code : {0x7DU, 0x7EU, 0x7FU, 0xFDU, 0xFEU, 0xFFU})
    BOOST_TEST(std::isnan(decoded(DType::f8e5m2, static_cast<std::uint8_t>(code))));
}

BOOST_AUTO_TEST_CASE(eight_bit_formats_round_once_to_nearest_even) {
  check_8_bit_rounding(DType::f8e4m3, 3, 7, 0x7E);
  check_8_bit_rounding(DType::f8e5m2, 2, 15, 0x7B);
}

// 464 and 61440 are the middles between the largest number and the one that would come next.
BOOST_AUTO_TEST_CASE(eight_bit_overflow_is_nan_or_infinity) {
  BOOST_TEST(encoded<std::uint8_t>(DType::f8e4m3, 464.0F) == 0x7EU);  // a tie: 448 is the even one
  BOOST_TEST(encoded<std::uint8_t>(DType::f8e4m3, 464.1F) == 0x7FU);
  BOOST_TEST(encoded<std::uint8_t>(DType::f8e4m3, -1e30F) == 0xFFU);
  BOOST_TEST(encoded<std::uint8_t>(DType::f8e4m3, kInfinity) == 0x7FU);
  BOOST_TEST(encoded<std::uint8_t>(DType::f8e5m2, 61439.0F) == 0x7BU);
  BOOST_TEST(encoded<std::uint8_t>(DType::f8e5m2, 61440.0F) == 0x7CU);  // a tie: infinity is the even one
  BOOST_TEST(encoded<std::uint8_t>(DType::f8e5m2, -kInfinity) == 0xFCU);
}

// Eigen is somebody else's program: every code, and every f32 halfway between codes and one step from there.
BOOST_AUTO_TEST_CASE(every_f16_agrees_with_eigen) {
  unsigned wrong = 0;
  for (unsigned code = 0; code <= 0xFFFFU; ++code) {
    const auto stored = static_cast<std::uint16_t>(code);
    const auto expected = static_cast<float>(Eigen::numext::bit_cast<Eigen::half>(stored));
    const float value = decoded(DType::f16, stored);
    if (std::isnan(expected)) {
      wrong += !std::isnan(value) || encoded<std::uint16_t>(DType::f16, value) != 0x7E00U;
      continue;
    }
    wrong += bits(value) != bits(expected) || encoded<std::uint16_t>(DType::f16, value) != stored;
    const float tie = std::ldexp(
        std::ldexp(value, 30) +
            std::ldexp(decoded(DType::f16,
                               static_cast<std::uint16_t>((code & 0x7FFFU) >= 0x7BFFU ? code : code + 1)),
                       30),
        -31);
    for (const float near : {std::nextafterf(tie, 0.0F), tie, std::nextafterf(tie, 1e6F)})
      wrong += encoded<std::uint16_t>(DType::f16, near) != static_cast<Eigen::half>(near).x;
  }
  BOOST_TEST(wrong == 0U);
}

BOOST_AUTO_TEST_CASE(every_bf16_agrees_with_eigen) {
  unsigned wrong = 0;
  for (unsigned code = 0; code <= 0xFFFFU; ++code) {
    const auto stored = static_cast<std::uint16_t>(code);
    const auto expected = static_cast<float>(Eigen::numext::bit_cast<Eigen::bfloat16>(stored));
    const float value = decoded(DType::bf16, stored);
    if (std::isnan(expected)) {
      wrong += !std::isnan(value) || encoded<std::uint16_t>(DType::bf16, value) != 0x7FC0U;
      continue;
    }
    wrong += bits(value) != bits(expected) || encoded<std::uint16_t>(DType::bf16, value) != stored;
    for (const std::uint32_t rest : {0x7FFFU, 0x8000U, 0x8001U}) {
      const float near = Eigen::numext::bit_cast<float>(code << 16U | rest);
      if (!std::isnan(near))
        wrong += encoded<std::uint16_t>(DType::bf16, near) != static_cast<Eigen::bfloat16>(near).value;
    }
  }
  BOOST_TEST(wrong == 0U);
}

// f16: unit 2 between 2048 and 4096, largest 65504, smallest 2^-24; bf16: unit 2 between 256 and 512.
BOOST_AUTO_TEST_CASE(known_16_bit_numbers) {
  BOOST_TEST(encoded<std::uint16_t>(DType::f16, 1.0F) == 0x3C00U);
  BOOST_TEST(decoded(DType::f16, encoded<std::uint16_t>(DType::f16, 2049.0F)) == 2048.0F);
  BOOST_TEST(decoded(DType::f16, encoded<std::uint16_t>(DType::f16, 2051.0F)) == 2052.0F);
  BOOST_TEST(encoded<std::uint16_t>(DType::f16, 65519.99F) == 0x7BFFU);
  BOOST_TEST(encoded<std::uint16_t>(DType::f16, 65520.0F) == 0x7C00U);
  BOOST_TEST(encoded<std::uint16_t>(DType::f16, std::ldexp(1.0F, -24)) == 1U);
  BOOST_TEST(encoded<std::uint16_t>(DType::f16, std::ldexp(1.0F, -25)) == 0U);  // a tie
  BOOST_TEST(encoded<std::uint16_t>(DType::f16, std::ldexp(1.5F, -24)) == 2U);  // a tie
  BOOST_TEST(encoded<std::uint16_t>(DType::f16, std::ldexp(-1.01F, -25)) == 0x8001U);
  BOOST_TEST(encoded<std::uint16_t>(DType::f16, std::ldexp(1.0F, -14)) == 0x0400U);
  BOOST_TEST(decoded(DType::bf16, encoded<std::uint16_t>(DType::bf16, 257.0F)) == 256.0F);
  BOOST_TEST(decoded(DType::bf16, encoded<std::uint16_t>(DType::bf16, 259.0F)) == 260.0F);
  BOOST_TEST(encoded<std::uint16_t>(DType::bf16, std::numeric_limits<float>::max()) == 0x7F80U);
  BOOST_TEST(encoded<std::uint16_t>(DType::bf16, -kInfinity) == 0xFF80U);
}

BOOST_AUTO_TEST_CASE(a_nan_is_written_as_one_quiet_nan_whatever_its_bits) {
  for (const std::uint32_t code : {0x7F800001U, 0x7FC00000U, 0xFFFFFFFFU}) {
    const float nan = Eigen::numext::bit_cast<float>(code);
    BOOST_TEST(encoded<std::uint32_t>(DType::f32, nan) == 0x7FC00000U);
    BOOST_TEST(encoded<std::uint16_t>(DType::f16, nan) == 0x7E00U);
    BOOST_TEST(encoded<std::uint16_t>(DType::bf16, nan) == 0x7FC0U);
    BOOST_TEST(encoded<std::uint8_t>(DType::f8e4m3, nan) == 0x7FU);
    BOOST_TEST(encoded<std::uint8_t>(DType::f8e5m2, nan) == 0x7EU);
  }
}

BOOST_AUTO_TEST_CASE(f32_keeps_every_other_bit) {
  for (const std::uint32_t code : {0U, 0x80000000U, 1U, 0x807FFFFFU, 0x7F7FFFFFU, 0x7F800000U, 0xFF800000U}) {
    BOOST_TEST(bits(decoded(DType::f32, code)) == code);
    BOOST_TEST(encoded<std::uint32_t>(DType::f32, Eigen::numext::bit_cast<float>(code)) == code);
  }
}

BOOST_AUTO_TEST_CASE(integers_round_to_even_and_saturate) {
  const auto i8 = [](float value) { return int{encoded<std::int8_t>(DType::i8, value)}; };
  BOOST_TEST(i8(0.5F) == 0);
  BOOST_TEST(i8(1.5F) == 2);
  BOOST_TEST(i8(-2.5F) == -2);
  BOOST_TEST(i8(127.4F) == 127);
  BOOST_TEST(i8(127.5F) == 127);
  BOOST_TEST(i8(-128.5F) == -128);
  BOOST_TEST(i8(-kInfinity) == -128);
  BOOST_TEST(i8(kInfinity) == 127);
  BOOST_TEST(i8(kNan) == 0);
  const auto i32 = [](float value) { return encoded<std::int32_t>(DType::i32, value); };
  BOOST_TEST(i32(2147483648.0F) == 2147483647);
  BOOST_TEST(i32(2147483520.0F) == 2147483520);  // the f32 before 2^31
  BOOST_TEST(i32(-2147483648.0F) == -2147483647 - 1);
  BOOST_TEST(i32(-3e9F) == -2147483647 - 1);
  BOOST_TEST(i32(3.5F) == 4);
  BOOST_TEST(i32(kNan) == 0);
  BOOST_TEST(decoded(DType::i8, std::int8_t{-128}) == -128.0F);
  BOOST_TEST(decoded(DType::i32, std::int32_t{16777219}) == 16777220.0F);  // 2^24 + 3 is between two f32
}

BOOST_AUTO_TEST_CASE(booleans_are_one_or_zero) {
  BOOST_TEST(decoded(DType::boolean, std::uint8_t{0}) == 0.0F);
  BOOST_TEST(decoded(DType::boolean, std::uint8_t{255}) == 1.0F);
  BOOST_TEST(encoded<std::uint8_t>(DType::boolean, -0.0F) == 0U);
  BOOST_TEST(encoded<std::uint8_t>(DType::boolean, 1e-40F) == 1U);
  BOOST_TEST(encoded<std::uint8_t>(DType::boolean, kNan) == 1U);
}

BOOST_AUTO_TEST_CASE(integers_are_read_exactly_as_integers) {
  const std::int32_t odd = 2147483645;
  std::byte bytes[4];
  std::memcpy(bytes, &odd, sizeof(odd));
  std::int32_t value = 0;
  decode_int(bytes, DType::i32, &value, 1);
  BOOST_TEST(value == odd);
  const std::byte small[] = {std::byte{0x80}, std::byte{0x7F}};
  std::int32_t values[2] = {};
  decode_int(small, DType::i8, values, 2);
  BOOST_TEST(values[0] == -128);
  BOOST_TEST(values[1] == 127);
  decode_int(small, DType::boolean, values, 2);
  BOOST_TEST(values[0] == 1);
  BOOST_CHECK_THROW(decode_int(bytes, DType::f16, &value, 1), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(integers_are_written_exactly_or_saturated) {
  BOOST_TEST(encoded_integer<std::int32_t>(DType::i32, 2147483645) == 2147483645);
  BOOST_TEST(int{encoded_integer<std::int8_t>(DType::i8, 128)} == 127);
  BOOST_TEST(int{encoded_integer<std::int8_t>(DType::i8, -129)} == -128);
  BOOST_TEST(encoded_integer<std::uint8_t>(DType::boolean, -5) == 1U);
}

// 2^30 + 2^22 is a tie in bf16 (unit 2^23 there). With one more it lies above the tie; an f32 on the way
// (unit 64) would lose the one and give the even neighbour, 2^30.
BOOST_AUTO_TEST_CASE(an_integer_is_rounded_once_into_a_narrow_type) {
  constexpr std::int32_t kTie = (1 << 30) + (1 << 22);
  BOOST_TEST(encoded_integer<std::uint16_t>(DType::bf16, kTie) == 0x4E80U);
  BOOST_TEST(encoded_integer<std::uint16_t>(DType::bf16, kTie + 1) == 0x4E81U);
  BOOST_TEST(encoded_integer<std::uint16_t>(DType::bf16, -kTie - 1) == 0xCE81U);
  BOOST_TEST(encoded_integer<std::uint16_t>(DType::bf16, kTie - 1) == 0x4E80U);
  BOOST_TEST(encoded_integer<std::uint16_t>(DType::f16, 70000) == 0x7C00U);
  BOOST_TEST(encoded_integer<std::uint16_t>(DType::f16, -3) == 0xC200U);
  BOOST_TEST(encoded_integer<std::uint32_t>(DType::f32, 16777217) == bits(16777216.0F));
}

// 1 + 2^-11 is a tie in f16 (unit 2^-10) and 1 + 2^-8 one in bf16 (unit 2^-7). With 2^-40 more they lie above
// it, which an f32 on the way would lose.
BOOST_AUTO_TEST_CASE(a_double_is_rounded_once) {
  const auto f16 = [](double value) { return encoded_double<std::uint16_t>(DType::f16, value); };
  const auto bf16 = [](double value) { return encoded_double<std::uint16_t>(DType::bf16, value); };
  BOOST_TEST(f16(1.0 + 0x1p-11) == 0x3C00U);
  BOOST_TEST(f16(1.0 + 0x1p-11 + 0x1p-40) == 0x3C01U);
  BOOST_TEST(f16(1.0 + 0x3p-11) == 0x3C02U);
  BOOST_TEST(f16(1.0 + 0x3p-11 - 0x1p-40) == 0x3C01U);
  BOOST_TEST(bf16(-1.0 - 0x1p-8) == 0xBF80U);
  BOOST_TEST(bf16(-1.0 - 0x1p-8 - 0x1p-40) == 0xBF81U);
  BOOST_TEST(bf16(1e300) == 0x7F80U);
  BOOST_TEST(f16(-1e-300) == 0x8000U);
  BOOST_TEST(f16(std::numeric_limits<double>::quiet_NaN()) == 0x7E00U);
  BOOST_TEST(encoded_double<std::int32_t>(DType::i32, 2147483646.5) == 2147483646);
  BOOST_TEST(encoded_double<std::uint8_t>(DType::boolean, 1e-300) == 1U);
  BOOST_TEST(encoded_double<std::uint32_t>(DType::f32, 16777217.0) == bits(16777216.0F));
}

BOOST_AUTO_TEST_SUITE_END()
