// SPDX-License-Identifier: Apache-2.0
#include "petal/numerics/tile.hpp"

#include <boost/test/unit_test.hpp>
#include <stdexcept>

#include "numerics/numbers.hpp"

using namespace petal;
using namespace petal::test;

BOOST_AUTO_TEST_SUITE(tile)

BOOST_AUTO_TEST_CASE(a_new_tile_is_zeros_of_its_kind) {
  BOOST_TEST(values_of(Tile(2, 2)) == (std::vector<float>{0, 0, 0, 0}), boost::test_tools::per_element());
  BOOST_TEST(integers_of(Tile(1, 2, TileElement::i32)) == (std::vector<std::int32_t>{0, 0}),
             boost::test_tools::per_element());
  BOOST_TEST(Tile().size() == 0U);
}

BOOST_AUTO_TEST_CASE(a_tile_once_grown_keeps_its_storage) {
  Tile tile(32, 64);
  const float* const storage = tile.f32();
  tile.resize(4, 3);
  BOOST_TEST(tile.rows() == 4U);
  BOOST_TEST(tile.columns() == 3U);
  tile.resize(64, 32);
  BOOST_TEST(tile.f32() == storage);
}

BOOST_AUTO_TEST_CASE(a_shape_whose_size_does_not_fit_is_refused) {
  Tile tile;
  BOOST_CHECK_THROW(tile.resize(std::uint64_t{1} << 33U, std::uint64_t{1} << 33U), std::length_error);
  BOOST_CHECK_THROW(tile.resize(~std::uint64_t{0}, 1), std::length_error);
  BOOST_CHECK_NO_THROW(tile.resize(~std::uint64_t{0}, 0));
}

// 2^24 + 1 lies halfway between two f32 and goes to the even one, 2^24; 2^24 + 3 to 2^24 + 4.
BOOST_AUTO_TEST_CASE(integers_become_f32_rounded_to_even) {
  Tile tile = integer_tile_of(1, 4, {-7, 16777217, 16777219, -2147483647 - 1});
  tile.convert_to_f32();
  BOOST_TEST((tile.element() == TileElement::f32));
  BOOST_TEST(values_of(tile) == (std::vector<float>{-7.0F, 16777216.0F, 16777220.0F, -2147483648.0F}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(reshaping_keeps_the_values_in_their_order) {
  Tile tile = tile_of(2, 3, {1, 2, 3, 4, 5, 6});
  tile.reshape(3, 2);
  BOOST_TEST(tile.rows() == 3U);
  BOOST_TEST(tile.columns() == 2U);
  BOOST_TEST(values_of(tile) == (std::vector<float>{1, 2, 3, 4, 5, 6}), boost::test_tools::per_element());
  for (const auto& [rows, columns] : {std::pair(3U, 3U), {4U, 2U}, {1U, 5U}, {6U, 0U}, {0U, 6U}})
    BOOST_CHECK_THROW(tile.reshape(rows, columns), std::invalid_argument);
  BOOST_CHECK_THROW(tile.reshape((std::uint64_t{1} << 63U) + 3, 2), std::invalid_argument);  // wraps to 6
  BOOST_TEST(tile.rows() == 3U);
  Tile empty(0, 4);
  BOOST_CHECK_NO_THROW(empty.reshape(7, 0));
  BOOST_CHECK_NO_THROW(empty.reshape(0, 2));
}

BOOST_AUTO_TEST_SUITE_END()
