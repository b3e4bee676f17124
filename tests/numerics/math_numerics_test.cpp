// SPDX-License-Identifier: Apache-2.0
#include "petal/numerics/math_numerics.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "numerics/numbers.hpp"

namespace {

using namespace petal;
using namespace petal::test;
using Values = std::vector<float>;

OpSpec op_of(Opcode kind, const std::vector<ScalarValue>& extras = {}) {
  OpSpec op;
  op.kind = kind;
  op.extras.assign(extras.begin(), extras.end());
  return op;
}

/// One row of numbers through an opcode.
Values on_row(const OpSpec& op, const std::vector<Values>& rows) {
  std::vector<Tile> tiles;
  for (const Values& row : rows) tiles.push_back(tile_of(1, row.size(), row));
  std::vector<const Tile*> operands;
  for (const Tile& tile : tiles) operands.push_back(&tile);
  Tile result;
  apply_math(op, operands, {1, rows.front().size()}, result);
  return values_of(result);
}

float on_one(Opcode kind, float value) {
  return on_row(op_of(kind), {{value}}).front();
}

float on_two(Opcode kind, float a, float b) {
  return on_row(op_of(kind), {{a}, {b}}).front();
}

Values reduced(Opcode kind, const Tile& source) {
  Tile result;
  apply_math(op_of(kind, {std::int32_t{-1}}), {&source}, {source.rows(), source.columns()}, result);
  BOOST_TEST(result.columns() == 1U);
  return values_of(result);
}

#define CHECK_VALUES(actual, ...) \
  BOOST_TEST((actual) == (Values __VA_ARGS__), boost::test_tools::per_element())

/// Within half a unit in the last place of the real number, which is given to more digits than a double has.
void check_rounded(float actual, double real) {
  BOOST_TEST(actual == static_cast<float>(real), actual << " against " << real);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(math_numerics)

BOOST_AUTO_TEST_CASE(elementwise_opcodes_compute_what_their_names_say) {
  CHECK_VALUES(on_row(op_of(Opcode::copy), {{1, -2, 3}}), {1, -2, 3});
  CHECK_VALUES(on_row(op_of(Opcode::neg), {{1, -2, 0.5F}}), {-1, 2, -0.5F});
  CHECK_VALUES(on_row(op_of(Opcode::relu), {{1, -2, 0}}), {1, 0, 0});
  CHECK_VALUES(on_row(op_of(Opcode::scale, {0.5F}), {{1, -2, 3}}), {0.5F, -1, 1.5F});
  CHECK_VALUES(on_row(op_of(Opcode::clamp_min, {-1.0F}), {{1, -2, 3}}), {1, -1, 3});
  CHECK_VALUES(on_row(op_of(Opcode::add), {{1, 2}, {10, 20}}), {11, 22});
  CHECK_VALUES(on_row(op_of(Opcode::sub), {{1, 2}, {10, 20}}), {-9, -18});
  CHECK_VALUES(on_row(op_of(Opcode::mul), {{3, 2}, {10, 20}}), {30, 40});
  CHECK_VALUES(on_row(op_of(Opcode::div), {{3, 1}, {2, -4}}), {1.5F, -0.25F});
  CHECK_VALUES(on_row(op_of(Opcode::mul_bcast, {std::int32_t{1}}), {{3, 2}, {10, 20}}), {30, 40});
  CHECK_VALUES(on_row(op_of(Opcode::div_bcast, {std::int32_t{1}}), {{3, 1}, {2, -4}}), {1.5F, -0.25F});
  CHECK_VALUES(on_row(op_of(Opcode::max_elem), {{3, -1}, {2, -4}}), {3, -1});
  CHECK_VALUES(on_row(op_of(Opcode::fma), {{3, 2}, {10, 20}, {1, 2}}), {31, 42});
}

// 3 tanh(1) and 3 tanh(100 / 3); a cap keeps -inf finite, which is why masks come after it.
BOOST_AUTO_TEST_CASE(softcap_bends_towards_its_cap) {
  const OpSpec op = op_of(Opcode::softcap, {3.0F});
  check_rounded(on_row(op, {{3}}).front(), 2.28478246786729465);
  CHECK_VALUES(on_row(op, {{0, 100, -kInfinity}}), {0, 3, -3});
}

BOOST_AUTO_TEST_CASE(where_takes_the_fill_for_what_the_mask_does_not_let_through) {
  CHECK_VALUES(on_row(op_of(Opcode::where, {-kInfinity}), {{1, 2, 3}, {1, 0, 7}}), {1, -kInfinity, 3});
  Tile mask(1, 3, TileElement::i32);
  mask.i32()[0] = 0;
  mask.i32()[1] = 1;
  mask.i32()[2] = -1;
  Tile accumulator = tile_of(2, 3, {1, 2, 3, 4, 5, 6});
  apply_math(op_of(Opcode::where, {9.0F}), {&accumulator, &mask}, {2, 3}, accumulator);
  CHECK_VALUES(values_of(accumulator), {9, 2, 3, 9, 5, 6});
}

// Columns 0 and 1 to the right of the row's own.
BOOST_AUTO_TEST_CASE(band_mask_counts_from_where_the_tile_lies) {
  const OpSpec op = op_of(Opcode::band_mask, {std::int32_t{0}, std::int32_t{1}});
  const Tile source = tile_of(2, 3, {1, 2, 3, 4, 5, 6});
  constexpr float kMasked = -kInfinity;
  Tile result;
  apply_math(op, {&source}, {2, 3}, result);
  CHECK_VALUES(values_of(result), {1, 2, kMasked, kMasked, 5, 6});
  apply_math(op, {&source}, {2, 3, 32, 31}, result);
  CHECK_VALUES(values_of(result), {kMasked, 2, 3, kMasked, kMasked, 6});
}

BOOST_AUTO_TEST_CASE(a_band_may_be_open_or_empty) {
  const Tile source = tile_of(1, 3, {1, 2, 3});
  const auto masked = [&](std::int32_t low, std::int32_t high, std::uint64_t first_row) {
    Tile result;
    apply_math(op_of(Opcode::band_mask, {low, high}), {&source}, {1, 3, first_row, 0}, result);
    return values_of(result);
  };
  constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  CHECK_VALUES(masked(kLeast, kMost, 0), {1, 2, 3});
  CHECK_VALUES(masked(kLeast, -1, 2), {1, 2, -kInfinity});
  CHECK_VALUES(masked(1, 0, 0), {-kInfinity, -kInfinity, -kInfinity});
  CHECK_VALUES(masked(kLeast, kMost, kMost), {1, 2, 3});  // the last row that a matrix can have
}

BOOST_AUTO_TEST_CASE(fill_needs_no_operand) {
  Tile result;
  apply_math(op_of(Opcode::fill, {-kInfinity}), {}, {2, 3}, result);
  BOOST_TEST(result.rows() == 2U);
  BOOST_TEST(values_of(result) == Values(6, -kInfinity), boost::test_tools::per_element());
}

// Reference values: e, erf and tanh to 20 digits from tables.
BOOST_AUTO_TEST_CASE(slow_opcodes_are_the_real_number_rounded_once) {
  check_rounded(on_one(Opcode::exp, 1.0F), 2.71828182845904523536);
  check_rounded(on_one(Opcode::exp, -2.0F), 0.13533528323661269189);
  check_rounded(on_one(Opcode::tanh, 0.5F), 0.46211715726000975850);
  check_rounded(on_one(Opcode::sigmoid, 1.0F), 0.73105857863000487926);
  check_rounded(on_one(Opcode::sigmoid, -1.0F), 0.26894142136999512075);
  check_rounded(on_one(Opcode::silu, 1.0F), 0.73105857863000487926);
  check_rounded(on_one(Opcode::silu, -1.0F), -0.26894142136999512075);
  check_rounded(on_one(Opcode::gelu, 1.0F), 0.84134474606854294859);    // Phi(1)
  check_rounded(on_one(Opcode::gelu, -2.0F), -0.04550026389635841440);  // -2 Phi(-2)
  check_rounded(on_one(Opcode::rsqrt, 2.0F), 0.70710678118654752440);
  check_rounded(on_one(Opcode::rsqrt, 0x1p-100F), 0x1p50);
}

BOOST_AUTO_TEST_CASE(slow_opcodes_end_at_their_limits) {
  BOOST_TEST(on_one(Opcode::exp, -kInfinity) == 0.0F);
  BOOST_TEST(on_one(Opcode::exp, 88.8F) == kInfinity);  // ln of the largest f32 is 88.72
  BOOST_TEST(on_one(Opcode::exp, -103.0F) > 0.0F);      // subnormal; ln 2^-150 is -103.97
  BOOST_TEST(on_one(Opcode::exp, -104.0F) == 0.0F);
  for (const Opcode kind : {Opcode::gelu, Opcode::silu}) {
    BOOST_TEST(on_one(kind, -kInfinity) == 0.0F, name_of(kind));
    BOOST_TEST(on_one(kind, -3e38F) == 0.0F, name_of(kind));
    BOOST_TEST(on_one(kind, kInfinity) == kInfinity, name_of(kind));
    BOOST_TEST(on_one(kind, 3e38F) == 3e38F, name_of(kind));
  }
  BOOST_TEST(on_one(Opcode::gelu, -10.0F) < 0.0F);  // 1 + erf would have cancelled to 0
  BOOST_TEST(on_one(Opcode::sigmoid, -kInfinity) == 0.0F);
  BOOST_TEST(on_one(Opcode::sigmoid, kInfinity) == 1.0F);
  BOOST_TEST(on_one(Opcode::tanh, -kInfinity) == -1.0F);
  BOOST_TEST(on_one(Opcode::rsqrt, 0.0F) == kInfinity);
  BOOST_TEST(on_one(Opcode::rsqrt, kInfinity) == 0.0F);
  BOOST_TEST(std::isnan(on_one(Opcode::rsqrt, -1.0F)));
  BOOST_TEST(on_two(Opcode::div, 1.0F, 0.0F) == kInfinity);
  BOOST_TEST(std::isnan(on_two(Opcode::div, 0.0F, 0.0F)));
}

BOOST_AUTO_TEST_CASE(exp_diff_of_two_masked_scores_is_zero) {
  BOOST_TEST(on_two(Opcode::exp_diff, -kInfinity, -kInfinity) == 0.0F);
  BOOST_TEST(on_two(Opcode::exp_diff, -kInfinity, 5.0F) == 0.0F);
  BOOST_TEST(on_two(Opcode::exp_diff, 5.0F, -kInfinity) == kInfinity);
  BOOST_TEST(on_two(Opcode::exp_diff, 7.0F, 7.0F) == 1.0F);
  BOOST_TEST(std::isnan(on_two(Opcode::exp_diff, kInfinity, kInfinity)));
  BOOST_TEST(std::isnan(on_two(Opcode::exp_diff, kNan, -kInfinity)));
  BOOST_TEST(std::isnan(on_two(Opcode::exp_diff, -kInfinity, kNan)));
  check_rounded(on_two(Opcode::exp_diff, 3.0F, 2.0F), 2.71828182845904523536);
}

// 80 - 2^-19 is 80 in f32 (unit 2^-17 there). Exponentiated unrounded it would be less by 2e-6 of itself, 16
// units.
BOOST_AUTO_TEST_CASE(exp_diff_subtracts_in_f32) {
  BOOST_TEST(on_two(Opcode::exp_diff, 80.0F, 0x1p-19F) == static_cast<float>(std::exp(80.0)));
}

BOOST_AUTO_TEST_CASE(nan_stays_nan_everywhere) {
  for (const Opcode kind : {Opcode::copy, Opcode::exp, Opcode::neg, Opcode::relu, Opcode::gelu, Opcode::tanh,
                            Opcode::rsqrt, Opcode::sigmoid, Opcode::silu})
    BOOST_TEST(std::isnan(on_one(kind, kNan)), name_of(kind));
  for (const Opcode kind : {Opcode::max_elem, Opcode::exp_diff, Opcode::mul_bcast, Opcode::div_bcast,
                            Opcode::add, Opcode::sub, Opcode::mul, Opcode::div}) {
    BOOST_TEST(std::isnan(on_two(kind, kNan, 1.0F)), name_of(kind));
    BOOST_TEST(std::isnan(on_two(kind, 1.0F, kNan)), name_of(kind));
  }
  BOOST_TEST(std::isnan(on_row(op_of(Opcode::scale, {0.0F}), {{kNan}}).front()));
  BOOST_TEST(std::isnan(on_row(op_of(Opcode::clamp_min, {0.0F}), {{kNan}}).front()));
  BOOST_TEST(std::isnan(on_row(op_of(Opcode::fma), {{0}, {1}, {kNan}}).front()));
}

BOOST_AUTO_TEST_CASE(rmax_of_a_row_shows_a_nan_wherever_it_stands) {
  for (std::size_t at = 0; at < 3; ++at) {
    Values row{1, 2, 3};
    row[at] = kNan;
    BOOST_TEST(std::isnan(reduced(Opcode::rmax, tile_of(1, 3, row)).front()));
  }
  CHECK_VALUES(reduced(Opcode::rmax, tile_of(2, 3, {1, 5, 2, -kInfinity, -9, -4})), {5, -4});
  CHECK_VALUES(reduced(Opcode::rmax, tile_of(1, 2, {-kInfinity, -kInfinity})), {-kInfinity});
}

BOOST_AUTO_TEST_CASE(reductions_of_no_columns) {
  CHECK_VALUES(reduced(Opcode::rmax, Tile(2, 0)), {-kInfinity, -kInfinity});
  CHECK_VALUES(reduced(Opcode::rsum, Tile(2, 0)), {0, 0});
  BOOST_TEST(reduced(Opcode::rsum, Tile(0, 4)).empty());
}

// A running sum in bf16 stops at 256, in f16 at 2048.
BOOST_AUTO_TEST_CASE(long_sums_do_not_stall) {
  CHECK_VALUES(reduced(Opcode::rsum, tile_of(1, 512, Values(512, 1.0F))), {512});
  CHECK_VALUES(reduced(Opcode::rsum, tile_of(1, 4096, Values(4096, 1.0F))), {4096});
}

// As f32: 2^24 + 1 = 2^24. In order 0; pairwise 1; backwards 2.
BOOST_AUTO_TEST_CASE(rsum_adds_columns_in_ascending_order) {
  constexpr float kBig = 16777216.0F;
  CHECK_VALUES(reduced(Opcode::rsum, tile_of(2, 4, {kBig, 1, 1, -kBig, -kBig, kBig, 1, 1})), {0, 2});
}

// (1 + 2^-12)^2 rounds to 1 + 2^-11; fused, 2^-24 would remain.
BOOST_AUTO_TEST_CASE(fma_rounds_twice) {
  const float factor = 1.0F + 0x1p-12F;
  const Values row(9, factor);
  CHECK_VALUES(on_row(op_of(Opcode::fma), {row, row, Values(9, -(1.0F + 0x1p-11F))}),
               {0, 0, 0, 0, 0, 0, 0, 0, 0});
}

BOOST_AUTO_TEST_CASE(operands_of_one_row_or_column_are_repeated) {
  const Tile matrix = tile_of(2, 3, {1, 2, 3, 4, 5, 6});
  const Tile a_row = tile_of(1, 3, {10, 20, 30});
  const Tile a_column = tile_of(2, 1, {100, 200});
  const Tile a_scalar = tile_of(1, 1, {1000});
  Tile result;
  const auto sum = [&](const Tile& a, const Tile& b) {
    apply_math(op_of(Opcode::add), {&a, &b}, {2, 3}, result);
    return values_of(result);
  };
  CHECK_VALUES(sum(matrix, a_row), {11, 22, 33, 14, 25, 36});
  CHECK_VALUES(sum(matrix, a_column), {101, 102, 103, 204, 205, 206});
  CHECK_VALUES(sum(a_scalar, matrix), {1001, 1002, 1003, 1004, 1005, 1006});
  CHECK_VALUES(sum(a_column, a_row), {110, 120, 130, 210, 220, 230});
  apply_math(op_of(Opcode::fma), {&matrix, &a_column, &a_row}, {2, 3}, result);
  CHECK_VALUES(values_of(result), {110, 220, 330, 810, 1020, 1230});
  apply_math(op_of(Opcode::copy), {&a_column}, {2, 2}, result);
  CHECK_VALUES(values_of(result), {100, 100, 200, 200});
  apply_math(op_of(Opcode::rsum, {std::int32_t{-1}}), {&a_column}, {2, 3}, result);
  CHECK_VALUES(values_of(result), {300, 600});
}

BOOST_AUTO_TEST_CASE(an_accumulator_is_updated_in_place) {
  Tile accumulator = tile_of(2, 2, {1, 2, 3, 4});
  apply_math(op_of(Opcode::add), {&accumulator, &accumulator}, {2, 2}, accumulator);
  CHECK_VALUES(values_of(accumulator), {2, 4, 6, 8});
  const Tile other = tile_of(2, 1, {10, 20});
  apply_math(op_of(Opcode::mul), {&accumulator, &other}, {2, 2}, accumulator);
  CHECK_VALUES(values_of(accumulator), {20, 40, 120, 160});
  apply_math(op_of(Opcode::rsum, {std::int32_t{-1}}), {&accumulator}, {2, 2}, accumulator);
  CHECK_VALUES(values_of(accumulator), {60, 280});
}

BOOST_AUTO_TEST_CASE(a_repeated_operand_may_be_the_result) {
  Tile column = tile_of(2, 1, {1, 2});
  const Tile matrix = tile_of(2, 2, {10, 20, 30, 40});
  apply_math(op_of(Opcode::add), {&matrix, &column}, {2, 2}, column);
  CHECK_VALUES(values_of(column), {11, 21, 32, 42});
}

// 2^24 + 1 rounds to 2^24 as f32, then halves exactly.
BOOST_AUTO_TEST_CASE(integer_accumulators_become_f32) {
  Tile accumulator = integer_tile_of(1, 3, {16777217, -4, 7});
  const Tile factors = tile_of(1, 3, {0.5F, 0.25F, 1});
  apply_math(op_of(Opcode::mul), {&accumulator, &factors}, {1, 3}, accumulator);
  BOOST_TEST((accumulator.element() == TileElement::f32));
  CHECK_VALUES(values_of(accumulator), {8388608, -1, 7});
}

BOOST_AUTO_TEST_CASE(a_copy_of_integers_is_exact) {
  const Tile source = integer_tile_of(1, 2, {16777217, -4});
  Tile result;
  apply_math(op_of(Opcode::copy), {&source}, {1, 2}, result);
  BOOST_TEST(integers_of(result) == (std::vector<std::int32_t>{16777217, -4}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(every_math_opcode_computes_and_empty_work_does_nothing) {
  for (const OpcodeSchema* schema = begin_of_schemas(); schema != end_of_schemas(); ++schema) {
    if (schema->engine != EngineClass::math) continue;
    OpSpec op = op_of(schema->opcode);
    for (std::size_t index = 0; index < schema->required_extras; ++index)
      op.extras.push_back(schema->extras[index].type == ScalarType::f32 ? ScalarValue(1.0F)
                                                                        : ScalarValue(std::int32_t{-1}));
    const Tile ones = tile_of(3, 1, {1, 1, 1});
    Tile result;
    apply_math(op, std::vector<const Tile*>(schema->operands.size(), &ones), {3, 1}, result);
    BOOST_TEST(result.rows() == 3U, schema->name);
    const Tile nothing(0, 4);
    apply_math(op, std::vector<const Tile*>(schema->operands.size(), &nothing), {0, 4}, result);
    BOOST_TEST(result.rows() == 0U, schema->name);
  }
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_refused) {
  Tile result;
  const Tile a(2, 3);
  const Tile b(3, 2);
  BOOST_CHECK_THROW(apply_math(op_of(Opcode::add), {&a, &b}, {2, 3}, result), std::invalid_argument);
  BOOST_CHECK_THROW(apply_math(op_of(Opcode::add), {&a}, {2, 3}, result), std::invalid_argument);
  BOOST_CHECK_THROW(apply_math(op_of(Opcode::gemm), {&a, &b}, {2, 2}, result), std::invalid_argument);
  BOOST_CHECK_THROW(apply_math(op_of(Opcode::fill), {}, {2, 2}, result), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
