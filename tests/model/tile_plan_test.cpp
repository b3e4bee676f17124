// SPDX-License-Identifier: Apache-2.0
#include "petal/pe_scheduler/tile_plan.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

namespace {

using namespace petal;

std::vector<TileStep> steps_of(const GemmShape& shape, const GemmTile& tile) {
  const TilePlan plan(shape, tile);
  std::vector<TileStep> steps;
  for (TileStep step = plan.first(); step.number < plan.steps(); plan.advance(step)) steps.push_back(step);
  return steps;
}

/// The out bytes of each output tile, f16.
std::string out_bytes_of(const GemmShape& shape, const GemmTile& tile) {
  std::string text;
  for (const TileStep& step : steps_of(shape, tile))
    if (step.last_k) text += std::to_string(step.extent.m * step.extent.n * 2) + " ";
  return text;
}

std::string extent_text(const TileStep& step) {
  return std::to_string(step.extent.m) + "x" + std::to_string(step.extent.k) + "x" +
         std::to_string(step.extent.n);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tile_plan)

// m = 3, k = 5, n = 4 in tiles of 2, 4, 3: two tiles along each axis, the second one ragged.
BOOST_AUTO_TEST_CASE(the_loop_order_is_m_n_k_with_k_innermost_and_edges_have_their_true_size) {
  std::string text;
  for (const TileStep& step : steps_of({3, 5, 4}, {2, 4, 3}))
    text += std::to_string(step.index.m) + "/" + std::to_string(step.index.n) + "/" +
            std::to_string(step.index.k) + ":" + extent_text(step) + " ";
  BOOST_TEST(text ==
             "0/0/0:2x4x3 0/0/1:2x1x3 0/1/0:2x4x1 0/1/1:2x1x1 "
             "1/0/0:1x4x3 1/0/1:1x1x3 1/1/0:1x4x1 1/1/1:1x1x1 ");
}

BOOST_AUTO_TEST_CASE(steps_know_their_number_their_origin_and_the_ends_of_the_k_loop) {
  const std::vector<TileStep> steps = steps_of({3, 5, 4}, {2, 4, 3});
  BOOST_TEST_REQUIRE(steps.size() == 8U);
  for (std::size_t number = 0; number < steps.size(); ++number) {
    BOOST_TEST(steps[number].number == number);
    BOOST_TEST(steps[number].first_k == (number % 2 == 0));
    BOOST_TEST(steps[number].last_k == (number % 2 == 1));
  }
  BOOST_TEST(steps[7].origin.m == 2U);
  BOOST_TEST(steps[7].origin.k == 4U);
  BOOST_TEST(steps[7].origin.n == 3U);
}

BOOST_AUTO_TEST_CASE(sizes_that_fit_have_no_empty_last_tile) {
  BOOST_TEST(TilePlan({64, 128, 96}, {32, 64, 32}).steps() == 12U);  // 2 * 2 * 3
  BOOST_TEST(TilePlan({1, 1, 1}, {32, 64, 32}).steps() == 1U);
}

// Without a K tile there is no product, but each output tile is stored.
BOOST_AUTO_TEST_CASE(without_k_there_is_one_step_for_each_output_tile) {
  const std::vector<TileStep> steps = steps_of({3, 0, 4}, {2, 4, 3});
  BOOST_TEST_REQUIRE(steps.size() == 4U);
  for (const TileStep& step : steps) {
    BOOST_TEST(step.first_k);
    BOOST_TEST(step.last_k);
    BOOST_TEST(step.extent.k == 0U);
  }
  BOOST_TEST(extent_text(steps[3]) == "1x0x1");
}

BOOST_AUTO_TEST_CASE(without_m_or_n_there_are_no_steps) {
  BOOST_TEST(TilePlan({0, 64, 64}, {32, 64, 32}).steps() == 0U);
  BOOST_TEST(TilePlan({64, 64, 0}, {32, 64, 32}).steps() == 0U);
  BOOST_TEST(TilePlan({0, 0, 0}, {32, 64, 32}).steps() == 0U);
}

BOOST_AUTO_TEST_CASE(partial_tiles_do_not_mix_up_rows_and_columns) {
  BOOST_TEST(out_bytes_of({40, 32, 72}, {32, 32, 32}) == "2048 2048 512 512 512 128 ");
  BOOST_TEST(out_bytes_of({72, 32, 40}, {32, 32, 32}) == "2048 512 2048 512 512 128 ");
}

BOOST_AUTO_TEST_CASE(sums_over_a_huge_gemm_need_and_have_64_bits) {
  std::uint64_t tiles = 0;
  std::uint64_t out_bytes = 0;
  std::uint64_t macs = 0;
  std::uint64_t last_byte = 0;
  for (const TileStep& step : steps_of({65536, 64, 65536}, {256, 256, 256})) {
    ++tiles;
    out_bytes += step.extent.m * step.extent.n * 2;
    macs += step.extent.m * step.extent.k * step.extent.n;
    const std::uint64_t row = step.origin.m + step.extent.m - 1;
    last_byte = (row * 65536 + step.origin.n + step.extent.n - 1) * 2 + 1;
  }
  BOOST_TEST(tiles == 65536U);
  BOOST_TEST(out_bytes == 8589934592U);
  BOOST_TEST(macs == 274877906944U);
  BOOST_TEST(last_byte == 8589934591U);
}

BOOST_AUTO_TEST_SUITE_END()
