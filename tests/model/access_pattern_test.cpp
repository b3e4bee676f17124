// SPDX-License-Identifier: Apache-2.0
#include "petal/memory/access_pattern.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <numeric>
#include <random>
#include <string>

#include "model/address_walk.hpp"

namespace {

using namespace petal;
using petal::test::addresses_of;

TensorHandle tensor(std::uint64_t address, const Dims& shape, const Dims& strides, DType dtype) {
  TensorHandle handle = dense_tensor(Space::hbm, address, shape, dtype);
  handle.strides = strides;
  return handle;
}

/// "0x1048: 16 x3+32": runs of 16 bytes, three of them 32 bytes apart.
std::string text_of(const AccessPattern& access) {
  std::string text = std::to_string(access.address) + ": " + std::to_string(access.run_bytes);
  for (const AccessPattern::Level& level : access.levels)
    if (level.count != 1) text += " x" + std::to_string(level.count) + "+" + std::to_string(level.stride);
  return text;
}

// f16 [8, 16] at 4096: rows of 32 bytes.
const TensorHandle kMatrix = dense_tensor(Space::hbm, 4096, {8, 16}, DType::f16);

std::vector<std::uint64_t> addresses_by_definition(const TensorHandle& handle) {
  std::vector<std::uint64_t> addresses;
  Dims index;
  for (std::size_t axis = 0; axis < handle.shape.rank(); ++axis) index.push_back(0);
  for (std::uint64_t element = 0; element < handle.elements(); ++element) {
    std::uint64_t rest = element;
    std::uint64_t offset = 0;
    for (std::size_t axis = handle.shape.rank(); axis-- > 0;) {
      offset += rest % handle.shape[axis] * handle.strides[axis];
      rest /= handle.shape[axis];
    }
    for (std::uint64_t byte = 0; byte < size_of(handle.dtype); ++byte)
      addresses.push_back(handle.address + offset * size_of(handle.dtype) + byte);
  }
  return addresses;
}

/// A tensor of one to four axes, in any axis order, with gaps at random.
TensorHandle random_tensor(std::mt19937_64& random) {
  const std::size_t rank = 1 + random() % Dims::kMaxRank;
  std::vector<std::size_t> order(rank);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  Dims shape;
  for (std::size_t axis = 0; axis < rank; ++axis) shape.push_back(1 + random() % 5);
  Dims strides = shape;
  std::uint64_t stride = 1 + random() % 2;
  for (const std::size_t axis : order) {
    strides[axis] = stride;
    stride = stride * shape[axis] + (random() % 2 == 0 ? 0 : random() % 7);
  }
  return tensor(random() % 1000, shape, strides, kAllDTypes[random() % std::size(kAllDTypes)]);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(access_pattern)

BOOST_AUTO_TEST_CASE(a_tensor_without_gaps_is_one_run) {
  const AccessPattern access = access_of(kMatrix);
  BOOST_TEST(text_of(access) == "4096: 256");  // 8 * 16 * 2
  BOOST_TEST(access.contiguous());
  BOOST_TEST(access.bytes().count() == 256U);
  BOOST_TEST(access.extent() == 256U);
}

// Rows 2 to 4, columns 4 to 11: address 4096 + 2*32 + 4*2, three runs of 8*2 bytes.
BOOST_AUTO_TEST_CASE(a_tile_is_its_rows) {
  const AccessPattern access = access_of(part_of(kMatrix, {2, 4, 3, 8}));
  BOOST_TEST(text_of(access) == "4168: 16 x3+32");
  BOOST_TEST(access.bytes().count() == 48U);
  BOOST_TEST(access.extent() == 80U);  // 2*32 + 16
  BOOST_TEST(!access.contiguous());
}

BOOST_AUTO_TEST_CASE(rows_of_full_width_merge_into_one_run) {
  BOOST_TEST(text_of(access_of(part_of(kMatrix, {2, 0, 3, 16}))) == "4160: 96");
}

BOOST_AUTO_TEST_CASE(a_tile_of_a_transposed_view_moves_the_runs_of_the_stored_tile) {
  const AccessPattern stored = access_of(part_of(kMatrix, {2, 4, 3, 8}));
  const AccessPattern view = access_of(part_of(transposed(kMatrix), {4, 2, 8, 3}));
  BOOST_TEST(text_of(view) == text_of(stored));
}

BOOST_AUTO_TEST_CASE(a_tile_of_rows_with_padding_leaves_the_padding_out) {
  // f32 [4, 8], rows 20 elements apart: 32 bytes every 80.
  const AccessPattern access = access_of(tensor(0, {4, 8}, {20, 1}, DType::f32));
  BOOST_TEST(text_of(access) == "0: 32 x4+80");
  BOOST_TEST(access.bytes().count() == 128U);
  BOOST_TEST(access.extent() == 272U);  // 3*80 + 32
}

BOOST_AUTO_TEST_CASE(one_column_is_a_run_for_each_element) {
  BOOST_TEST(text_of(access_of(part_of(kMatrix, {0, 3, 8, 1}))) == "4102: 2 x8+32");
}

BOOST_AUTO_TEST_CASE(one_row_of_a_transposed_view_is_a_run_for_each_element) {
  BOOST_TEST(text_of(access_of(part_of(transposed(kMatrix), {3, 0, 1, 8}))) == "4102: 2 x8+32");
}

BOOST_AUTO_TEST_CASE(outer_axes_that_continue_each_other_are_one_level) {
  // f16 [2, 3, 4]: runs of 8 bytes; 3 of them 20 bytes apart; the next plane starts where the fourth would.
  BOOST_TEST(text_of(access_of(tensor(0, {2, 3, 4}, {30, 10, 1}, DType::f16))) == "0: 8 x6+20");
  BOOST_TEST(text_of(access_of(tensor(0, {2, 3, 4}, {100, 10, 1}, DType::f16))) == "0: 8 x3+20 x2+200");
}

BOOST_AUTO_TEST_CASE(four_axes_none_of_unit_stride_keep_their_bytes) {
  const AccessPattern access = access_of(tensor(0, {2, 2, 2, 2}, {1000, 100, 10, 2}, DType::f16));
  BOOST_TEST(text_of(access) == "0: 2 x2+4 x2+20 x2+200 x2+2000");
  BOOST_TEST(access.bytes().count() == 32U);
  BOOST_TEST(access.extent() == 2226U);  // 2 + 4 + 20 + 200 + 2000
}

BOOST_AUTO_TEST_CASE(a_scalar_is_one_element) {
  BOOST_TEST(text_of(access_of(tensor(12, {}, {}, DType::f32))) == "12: 4");
}

BOOST_AUTO_TEST_CASE(nothing_is_touched_where_a_size_is_zero) {
  const auto check_nothing = [](const AccessPattern& access) {
    BOOST_TEST(access.bytes().count() == 0U);
    BOOST_TEST(access.extent() == 0U);
  };
  check_nothing(access_of(dense_tensor(Space::hbm, 64, {0, 4}, DType::f32)));
  check_nothing(access_of(dense_tensor(Space::hbm, 64, {4, 0}, DType::f32)));
  check_nothing(access_of(part_of(kMatrix, {2, 4, 0, 8})));
  check_nothing(access_of(part_of(kMatrix, {2, 4, 3, 0})));
  BOOST_TEST(part_of(kMatrix, {2, 4, 0, 8}).range().empty());
  BOOST_TEST(part_of(kMatrix, {2, 4, 3, 0}).range().empty());
}

BOOST_AUTO_TEST_CASE(the_range_of_a_tile_ends_behind_its_last_element) {
  const ByteRange range = part_of(kMatrix, {2, 4, 3, 8}).range();
  BOOST_TEST(range.begin == 4168U);
  BOOST_TEST(range.end == 4248U);  // + 2*32 + 16
  BOOST_TEST((part_of(transposed(kMatrix), {4, 2, 8, 3}).range() == range));
}

BOOST_AUTO_TEST_CASE(sizes_beyond_32_bits_do_not_wrap) {
  // f16 [65536, 65536] is 8 GiB; its last 256 x 256 tile starts at 65280 * (65536 + 1) * 2.
  const TensorHandle big = dense_tensor(Space::hbm, 0x200000000U, {65536, 65536}, DType::f16);
  const AccessPattern tile = access_of(part_of(big, {65280, 65280, 256, 256}));
  BOOST_TEST(tile.address == 0x200000000U + 8556510720U);
  BOOST_TEST(tile.address + tile.extent() == 0x200000000U + 8589934592U);
  BOOST_TEST(access_of(big).bytes().count() == 8589934592U);
}

BOOST_AUTO_TEST_CASE(any_tensor_gives_the_bytes_of_its_elements) {
  constexpr std::uint64_t kSeed = 20260301;
  std::mt19937_64 random(kSeed);
  for (int round = 0; round < 2000; ++round) {
    const TensorHandle handle = random_tensor(random);
    std::vector<std::uint64_t> found = addresses_of(access_of(handle));
    std::vector<std::uint64_t> expected = addresses_by_definition(handle);
    std::sort(found.begin(), found.end());
    std::sort(expected.begin(), expected.end());
    BOOST_TEST_REQUIRE((found == expected), "seed " << kSeed << ", round " << round << ": "
                                                    << handle.to_string() << " strides "
                                                    << handle.strides.to_string());
    BOOST_TEST_REQUIRE(access_of(handle).extent() == expected.back() + 1 - handle.address);
  }
}

// Rows of 8 bytes, 3 of them 20 bytes apart, twice with 100 bytes between: the second row's third byte is the
// eleventh; gaps and pieces that no row has are nowhere.
BOOST_AUTO_TEST_CASE(an_address_has_a_place_among_the_bytes_of_the_runs) {
  AccessPattern pattern;
  pattern.address = 1000;
  pattern.run_bytes = 8;
  pattern.levels[0] = {3, 20};
  pattern.levels[1] = {2, 100};
  BOOST_TEST((pattern.offset_of(1000, 8) == std::optional<std::uint64_t>(0)));
  BOOST_TEST((pattern.offset_of(1022, 6) == std::optional<std::uint64_t>(10)));
  BOOST_TEST((pattern.offset_of(1147, 1) == std::optional<std::uint64_t>(47)));
  BOOST_TEST((pattern.offset_of(1022, 7) == std::nullopt));
  BOOST_TEST((pattern.offset_of(1010, 1) == std::nullopt));
  BOOST_TEST((pattern.offset_of(999, 1) == std::nullopt));
  BOOST_TEST((pattern.offset_of(1148, 1) == std::nullopt));
}

BOOST_AUTO_TEST_CASE(runs_that_overlap_have_places_too) {
  AccessPattern pattern;
  pattern.run_bytes = 8;
  pattern.levels[0] = {4, 4};
  for (std::uint64_t address = 0; address + 2 <= 20; ++address) {
    const auto offset = pattern.offset_of(address, 2);
    BOOST_TEST_REQUIRE(offset.has_value(), "address " << address);
    BOOST_TEST(*offset / 8 * 4 + *offset % 8 == address);
  }
  pattern.levels[0] = {4, 0};
  BOOST_TEST((pattern.offset_of(3, 1) == std::optional<std::uint64_t>(3)));
}

BOOST_AUTO_TEST_SUITE_END()
