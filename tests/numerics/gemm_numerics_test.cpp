// SPDX-License-Identifier: Apache-2.0
#include "petal/numerics/gemm_numerics.hpp"

#include <boost/test/unit_test.hpp>
#include <random>
#include <stdexcept>

#include "numerics/numbers.hpp"

namespace {

using namespace petal;
using namespace petal::test;

constexpr std::int32_t kMinInt = std::numeric_limits<std::int32_t>::min();

Tile random_tile(std::mt19937& random, std::uint64_t rows, std::uint64_t columns) {
  std::uniform_real_distribution<float> number(-1.0F, 1.0F);
  Tile tile(rows, columns);
  std::generate_n(tile.f32(), tile.size(), [&]() { return number(random); });
  return tile;
}

/// The definition: products one by one, k ascending, each step rounded to f32.
float defined_sum(const Tile& a, const Tile& b, std::uint64_t row, std::uint64_t column, float start) {
  volatile float sum = start;
  for (std::uint64_t k = 0; k < a.columns(); ++k) {
    volatile float product = a.f32()[row * a.columns() + k] * b.f32()[k * b.columns() + column];
    sum = sum + product;
  }
  return sum;
}

std::size_t differences(const Tile& a, const Tile& b, const Tile& before, const Tile& after) {
  std::size_t wrong = 0;
  for (std::uint64_t row = 0; row < a.rows(); ++row)
    for (std::uint64_t column = 0; column < b.columns(); ++column) {
      const std::uint64_t at = row * b.columns() + column;
      wrong += bits(after.f32()[at]) != bits(defined_sum(a, b, row, column, before.f32()[at]));
    }
  return wrong;
}

Tile columns_of(const Tile& tile, std::uint64_t first, std::uint64_t count) {
  Tile part(tile.rows(), count);
  for (std::uint64_t row = 0; row < tile.rows(); ++row)
    std::copy_n(tile.f32() + row * tile.columns() + first, count, part.f32() + row * count);
  return part;
}

Tile rows_of(const Tile& tile, std::uint64_t first, std::uint64_t count) {
  Tile part(count, tile.columns());
  std::copy_n(tile.f32() + first * tile.columns(), part.size(), part.f32());
  return part;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(gemm_numerics)

// [1 2; 3 4] * [5 6; 7 8] = [19 22; 43 50], on top of 100.
BOOST_AUTO_TEST_CASE(products_are_added_to_the_accumulator) {
  Tile accumulator = tile_of(2, 2, {100, 100, 100, 100});
  multiply_accumulate(tile_of(2, 2, {1, 2, 3, 4}), tile_of(2, 2, {5, 6, 7, 8}), accumulator);
  BOOST_TEST(values_of(accumulator) == (std::vector<float>{119, 122, 143, 150}),
             boost::test_tools::per_element());
}

// Every remainder of the blocking by rows and by columns, and the sizes around it.
BOOST_AUTO_TEST_CASE(every_ragged_shape_gives_the_defined_sum_bit_by_bit) {
  std::mt19937 random(7);
  for (const std::uint64_t m : {1U, 2U, 3U, 4U, 5U, 9U})
    for (std::uint64_t n = 1; n <= 37; ++n)
      for (const std::uint64_t k : {0U, 1U, 2U, 17U}) {
        const Tile a = random_tile(random, m, k);
        const Tile b = random_tile(random, k, n);
        const Tile before = random_tile(random, m, n);
        Tile after = before;
        multiply_accumulate(a, b, after);
        BOOST_TEST(differences(a, b, before, after) == 0U, m << " x " << k << " x " << n);
      }
}

// 2^24 + 1 is 2^24 in f32. In order: ((2^24 + 1) + 1) - 2^24 = 0; pairwise, (2^24 + 1) + (1 - 2^24) = 1;
// backwards, 2.
BOOST_AUTO_TEST_CASE(k_is_summed_in_ascending_order) {
  constexpr float kBig = 16777216.0F;
  Tile accumulator(1, 1);
  multiply_accumulate(tile_of(1, 4, {kBig, 1, 1, -kBig}), tile_of(4, 1, {1, 1, 1, 1}), accumulator);
  BOOST_TEST(accumulator.f32()[0] == 0.0F);
  accumulator.set_zero();
  multiply_accumulate(tile_of(1, 4, {-kBig, kBig, 1, 1}), tile_of(4, 1, {1, 1, 1, 1}), accumulator);
  BOOST_TEST(accumulator.f32()[0] == 2.0F);
}

// (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24: the product alone rounds to 1 + 2^-11; fused with the sum, 2^-24 would
// remain.
BOOST_AUTO_TEST_CASE(a_product_is_rounded_before_it_is_added) {
  const float factor = 1.0F + 0x1p-12F;
  for (const std::uint64_t n : {1U, 8U, 16U}) {
    Tile accumulator(4, n);
    std::fill_n(accumulator.f32(), accumulator.size(), -(1.0F + 0x1p-11F));
    multiply_accumulate(tile_of(4, 1, std::vector<float>(4, factor)),
                        tile_of(1, n, std::vector<float>(n, factor)), accumulator);
    BOOST_TEST(values_of(accumulator) == std::vector<float>(4 * n, 0.0F), boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(cutting_k_into_tiles_changes_no_bit) {
  std::mt19937 random(11);
  const Tile a = random_tile(random, 5, 100);
  const Tile b = random_tile(random, 100, 21);
  Tile whole(5, 21);
  multiply_accumulate(a, b, whole);
  for (const std::uint64_t step : {1U, 7U, 64U}) {
    Tile parts(5, 21);
    for (std::uint64_t k = 0; k < 100; k += step) {
      const std::uint64_t count = std::min<std::uint64_t>(step, 100 - k);
      multiply_accumulate(columns_of(a, k, count), rows_of(b, k, count), parts);
    }
    BOOST_TEST(values_of(parts) == values_of(whole), boost::test_tools::per_element());
  }
}

// Sums of ones in f16 would stop at 2048.
BOOST_AUTO_TEST_CASE(four_thousand_and_ninety_six_ones_are_4096) {
  const std::vector<float> ones(4096, 1.0F);
  Tile accumulator(1, 1);
  multiply_accumulate(tile_of(1, 4096, ones), tile_of(4096, 1, ones), accumulator);
  BOOST_TEST(accumulator.f32()[0] == 4096.0F);
}

BOOST_AUTO_TEST_CASE(no_k_adds_nothing_and_no_m_or_n_does_nothing) {
  Tile accumulator = tile_of(2, 1, {3, 4});
  multiply_accumulate(Tile(2, 0), Tile(0, 1), accumulator);
  BOOST_TEST(values_of(accumulator) == (std::vector<float>{3, 4}), boost::test_tools::per_element());
  Tile empty(0, 5);
  BOOST_CHECK_NO_THROW(multiply_accumulate(Tile(0, 3), Tile(3, 5), empty));
  Tile thin(5, 0);
  BOOST_CHECK_NO_THROW(multiply_accumulate(Tile(5, 3), Tile(3, 0), thin));
}

// (-128)^2 = 2^14. 1000 of them are 16384000, as i8 or i16 sums could not be; 2^17 of them are 2^31, which
// wraps.
BOOST_AUTO_TEST_CASE(integers_are_summed_in_i32_and_wrap) {
  for (const std::uint64_t n : {1U, 9U, 16U}) {
    const auto sums = [n](std::uint64_t k) {
      Tile accumulator(4, n, TileElement::i32);
      multiply_accumulate(integer_tile_of(4, k, std::vector<std::int32_t>(4 * k, -128)),
                          integer_tile_of(k, n, std::vector<std::int32_t>(k * n, -128)), accumulator);
      return integers_of(accumulator);
    };
    BOOST_TEST(sums(1000) == std::vector<std::int32_t>(4 * n, 16384000), boost::test_tools::per_element());
    BOOST_TEST(sums(131071) == std::vector<std::int32_t>(4 * n, 2147467264),
               boost::test_tools::per_element());
    BOOST_TEST(sums(131072) == std::vector<std::int32_t>(4 * n, kMinInt), boost::test_tools::per_element());
  }
}

// 127 * -128 * 3 - 1
BOOST_AUTO_TEST_CASE(signs_of_integers_are_kept) {
  Tile accumulator = integer_tile_of(1, 1, {-1});
  multiply_accumulate(integer_tile_of(1, 3, {127, 127, 127}), integer_tile_of(3, 1, {-128, -128, -128}),
                      accumulator);
  BOOST_TEST(accumulator.i32()[0] == -48769);
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_refused) {
  Tile accumulator(2, 2);
  BOOST_CHECK_THROW(multiply_accumulate(Tile(2, 3), Tile(2, 2), accumulator), std::invalid_argument);
  BOOST_CHECK_THROW(multiply_accumulate(Tile(3, 3), Tile(3, 2), accumulator), std::invalid_argument);
  BOOST_CHECK_THROW(multiply_accumulate(Tile(2, 3), Tile(3, 1), accumulator), std::invalid_argument);
  BOOST_CHECK_THROW(multiply_accumulate(Tile(2, 3, TileElement::i32), Tile(3, 2), accumulator),
                    std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_factor_scales_in_f32_and_one_leaves_integers_alone) {
  Tile floats = tile_of(1, 2, {3, -8});
  scale_accumulator(floats, 0.25F);
  BOOST_TEST(values_of(floats) == (std::vector<float>{0.75F, -2}), boost::test_tools::per_element());
  Tile integers = integer_tile_of(1, 2, {3, -8});
  scale_accumulator(integers, 1.0F);
  BOOST_TEST(integers_of(integers) == (std::vector<std::int32_t>{3, -8}), boost::test_tools::per_element());
  scale_accumulator(integers, 0.25F);
  BOOST_TEST(values_of(integers) == (std::vector<float>{0.75F, -2}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
