// SPDX-License-Identifier: Apache-2.0
#include "petal/numerics/gather.hpp"

#include <boost/test/unit_test.hpp>
#include <stdexcept>

#include "numerics/numbers.hpp"
#include "petal/command/error.hpp"
#include "petal/memory/sparse_memory.hpp"
#include "petal/numerics/element_codec.hpp"

namespace {

using namespace petal;
using namespace petal::test;

constexpr std::uint64_t kCapacity = std::uint64_t{1} << 20U;
constexpr std::uint64_t kAddress = 65536 - 40;  // not at a page's start, and near its end

/// Element i of the memory from `address` on is i.
void count_up(ByteMemory& memory, std::uint64_t address, DType dtype, std::size_t count) {
  std::vector<float> numbers(count);
  for (std::size_t index = 0; index < count; ++index) numbers[index] = static_cast<float>(index);
  std::vector<std::byte> bytes(count * size_of(dtype));
  encode(numbers.data(), dtype, bytes.data(), count);
  memory.write(address, bytes.data(), bytes.size());
}

std::vector<float> elements(const ByteMemory& memory, std::uint64_t address, DType dtype, std::size_t count) {
  std::vector<std::byte> bytes(count * size_of(dtype));
  memory.read(address, bytes.data(), bytes.size());
  std::vector<float> numbers(count);
  decode(bytes.data(), dtype, numbers.data(), count);
  return numbers;
}

TensorHandle view(const Dims& shape, const Dims& strides, DType dtype = DType::f16) {
  TensorHandle handle = dense_tensor(Space::hbm, kAddress, shape, dtype);
  handle.strides = strides;
  return handle;
}

/// Every element of `rect` by the definition of strides, in a memory filled by `count_up`.
void check_load(const SparseMemory& memory, const TensorHandle& handle, const TileRect& rect) {
  Tile tile;
  load_tile(memory, handle, rect, TileElement::f32, tile);
  BOOST_REQUIRE(tile.rows() == rect.rows);
  BOOST_REQUIRE(tile.columns() == rect.columns);
  std::size_t wrong = 0;
  for (std::uint64_t row = 0; row < rect.rows; ++row)
    for (std::uint64_t column = 0; column < rect.columns; ++column)
      wrong += tile.f32()[row * rect.columns + column] !=
               static_cast<float>((rect.row + row) * handle.strides[0] +
                                  (rect.column + column) * handle.strides[1]);
  BOOST_TEST(wrong == 0U, handle.to_string());
}

/// Stores a tile of 100, 101, ... and looks at every element of memory: those of the rectangle hold them, the
/// rest are as before.
void check_store(const TensorHandle& handle, const TileRect& rect, std::size_t memory_elements) {
  SparseMemory memory("hbm", kCapacity);
  std::vector<float> expected(memory_elements, 0.0F);
  Tile tile(rect.rows, rect.columns);
  for (std::uint64_t index = 0; index < tile.size(); ++index) {
    tile.f32()[index] = static_cast<float>(100 + index);
    const std::uint64_t row = rect.row + index / rect.columns;
    const std::uint64_t column = rect.column + index % rect.columns;
    expected[row * handle.strides[0] + column * handle.strides[1]] = tile.f32()[index];
  }
  store_tile(tile, memory, handle, rect);
  BOOST_TEST(elements(memory, kAddress, handle.dtype, memory_elements) == expected,
             boost::test_tools::per_element());
}

std::vector<float> loaded(const ByteMemory& memory, const TensorHandle& handle, const TileRect& rect) {
  Tile tile;
  load_tile(memory, handle, rect, TileElement::f32, tile);
  return values_of(tile);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(gather)

// A [4, 6] matrix of 0 to 23: rows 1 and 2, columns 2 to 4.
BOOST_AUTO_TEST_CASE(a_rectangle_is_read_row_by_row) {
  SparseMemory memory("hbm", kCapacity);
  count_up(memory, kAddress, DType::f32, 24);
  BOOST_TEST(loaded(memory, view({4, 6}, {6, 1}, DType::f32), {1, 2, 2, 3}) ==
                 (std::vector<float>{8, 9, 10, 14, 15, 16}),
             boost::test_tools::per_element());
}

// The same data seen as [6, 4]: column j of the view is stored row j.
BOOST_AUTO_TEST_CASE(a_transposed_view_gives_a_transposed_tile) {
  SparseMemory memory("hbm", kCapacity);
  count_up(memory, kAddress, DType::f32, 24);
  BOOST_TEST(loaded(memory, transposed(view({4, 6}, {6, 1}, DType::f32)), {2, 1, 3, 2}) ==
                 (std::vector<float>{8, 14, 9, 15, 10, 16}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(every_kind_of_stride_is_read_by_its_definition) {
  SparseMemory memory("hbm", kCapacity);
  count_up(memory, kAddress, DType::f16, 2048);
  check_load(memory, view({40, 50}, {50, 1}), {0, 0, 40, 50});     // dense: one long run
  check_load(memory, view({40, 50}, {50, 1}), {39, 1, 1, 49});     // ragged
  check_load(memory, view({40, 50}, {51, 1}), {3, 4, 5, 6});       // a gap after each row
  check_load(memory, view({50, 40}, {1, 50}), {0, 0, 50, 40});     // transposed
  check_load(memory, view({50, 40}, {1, 50}), {49, 39, 1, 1});     // one element
  check_load(memory, view({20, 30}, {60, 2}), {1, 2, 10, 20});     // every second element
  check_load(memory, view({600, 3}, {3, 1}), {1, 1, 599, 2});      // many short rows
  check_load(memory, view({600, 3}, {1, 650}), {10, 0, 590, 3});   // runs longer than a buffer, scattered
  check_load(memory, view({2, 1000}, {1000, 1}), {0, 1, 2, 999});  // rows longer than a buffer
  check_load(memory, view({30, 1}, {2, 1}), {1, 0, 20, 1});        // one column
  check_load(memory, view({1, 30}, {1, 2}), {0, 1, 1, 20});        // one row
  check_load(memory, view({5, 5}, {1, 1}), {0, 0, 5, 5});          // overlapping rows
}

BOOST_AUTO_TEST_CASE(every_kind_of_stride_is_written_by_its_definition) {
  check_store(view({4, 6}, {6, 1}), {0, 0, 4, 6}, 24);
  check_store(view({4, 6}, {6, 1}), {1, 2, 2, 3}, 24);
  check_store(view({4, 6}, {8, 1}), {0, 0, 4, 6}, 32);
  check_store(view({6, 4}, {1, 6}), {2, 1, 3, 2}, 24);
  check_store(view({4, 5}, {12, 2}), {1, 1, 3, 4}, 48);
  check_store(view({700, 2}, {1, 700}), {5, 0, 600, 2}, 1400);
}

BOOST_AUTO_TEST_CASE(a_repeated_axis_is_held_once) {
  SparseMemory memory("hbm", kCapacity);
  count_up(memory, kAddress, DType::f16, 64);
  Tile tile;
  const auto check = [&](const Dims& strides, std::uint64_t rows, std::uint64_t columns,
                         const std::vector<float>& values) {
    load_tile(memory, view({8, 6}, strides), {2, 1, 3, 4}, TileElement::f32, tile);
    BOOST_TEST(tile.rows() == rows);
    BOOST_TEST(tile.columns() == columns);
    BOOST_TEST(values_of(tile) == values, boost::test_tools::per_element());
  };
  check({0, 1}, 1, 4, {1, 2, 3, 4});  // one value a column
  check({1, 0}, 3, 1, {2, 3, 4});     // one value a row
  check({5, 0}, 3, 1, {10, 15, 20});
  check({0, 0}, 1, 1, {0});
}

BOOST_AUTO_TEST_CASE(a_repeated_axis_is_written_once) {
  SparseMemory memory("hbm", kCapacity);
  store_tile(tile_of(3, 1, {7, 8, 9}), memory, view({8, 6}, {1, 0}), {2, 1, 3, 4});
  BOOST_TEST(elements(memory, kAddress, DType::f16, 6) == (std::vector<float>{0, 0, 7, 8, 9, 0}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_empty_rectangle_touches_nothing) {
  SparseMemory memory("hbm", 16);
  Tile tile;
  for (const Dims& strides : {Dims{6, 1}, Dims{1, 4}, Dims{0, 1}, Dims{0, 0}}) {
    load_tile(memory, view({4, 6}, strides), {4, 0, 0, 6}, TileElement::f32, tile);
    BOOST_TEST(tile.size() == 0U);
    BOOST_CHECK_NO_THROW(store_tile(tile, memory, view({4, 6}, strides), {4, 0, 0, 6}));
    load_tile(memory, view({4, 6}, strides), {0, 6, 4, 0}, TileElement::f32, tile);
    BOOST_TEST(tile.size() == 0U);
  }
  BOOST_TEST(memory.pages() == 0U);
}

// A dense tensor of three rows of no columns has strides [0, 1]; that repeats nothing.
BOOST_AUTO_TEST_CASE(an_empty_rectangle_keeps_its_rows_and_columns) {
  SparseMemory memory("hbm", 16);
  Tile tile;
  load_tile(memory, view({3, 0}, {0, 1}), {0, 0, 3, 0}, TileElement::f32, tile);
  BOOST_TEST(tile.rows() == 3U);
  BOOST_TEST(tile.columns() == 0U);
  BOOST_CHECK_NO_THROW(store_tile(tile, memory, view({3, 0}, {0, 1}), {0, 0, 3, 0}));
}

BOOST_AUTO_TEST_CASE(integers_are_kept_as_integers_if_asked_for) {
  SparseMemory memory("hbm", kCapacity);
  const std::byte stored[] = {std::byte{0x80}, std::byte{0xFF}, std::byte{0x7F}, std::byte{1}};
  memory.write(kAddress, stored, sizeof(stored));
  Tile tile;
  load_tile(memory, view({2, 2}, {2, 1}, DType::i8), {0, 0, 2, 2}, TileElement::i32, tile);
  BOOST_TEST(integers_of(tile) == (std::vector<std::int32_t>{-128, -1, 127, 1}),
             boost::test_tools::per_element());
  load_tile(memory, view({2, 2}, {1, 2}, DType::i8), {0, 0, 2, 2}, TileElement::i32, tile);
  BOOST_TEST(integers_of(tile) == (std::vector<std::int32_t>{-128, 127, -1, 1}),
             boost::test_tools::per_element());
  load_tile(memory, view({2, 2}, {2, 1}, DType::i8), {0, 0, 2, 2}, TileElement::f32, tile);
  BOOST_TEST(values_of(tile) == (std::vector<float>{-128, -1, 127, 1}), boost::test_tools::per_element());
  BOOST_CHECK_THROW(load_tile(memory, view({2, 2}, {2, 1}, DType::f16), {0, 0, 2, 2}, TileElement::i32, tile),
                    std::invalid_argument);
}

// 2^24 + 1 is no f32: it gets through because it stays an integer.
BOOST_AUTO_TEST_CASE(integers_are_written_exactly) {
  SparseMemory memory("hbm", kCapacity);
  const TensorHandle handle = view({1, 2}, {2, 1}, DType::i32);
  store_tile(integer_tile_of(1, 2, {16777217, -5}), memory, handle, {0, 0, 1, 2});
  Tile tile;
  load_tile(memory, handle, {0, 0, 1, 2}, TileElement::i32, tile);
  BOOST_TEST(integers_of(tile) == (std::vector<std::int32_t>{16777217, -5}),
             boost::test_tools::per_element());
}

// 257 is between two bf16 (unit 2) and goes to the even 256.
BOOST_AUTO_TEST_CASE(what_is_written_is_rounded_to_the_views_dtype) {
  SparseMemory memory("hbm", kCapacity);
  store_tile(tile_of(1, 2, {257, 259}), memory, view({1, 2}, {2, 1}, DType::bf16), {0, 0, 1, 2});
  BOOST_TEST(elements(memory, kAddress, DType::bf16, 2) == (std::vector<float>{256, 260}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_is_out_of_bounds_is_refused) {
  SparseMemory memory("hbm", kAddress + 47);  // one byte short of 24 f16
  Tile tile(4, 6);
  const TensorHandle handle = view({4, 6}, {6, 1});
  BOOST_CHECK_NO_THROW(load_tile(memory, handle, {0, 0, 3, 6}, TileElement::f32, tile));
  BOOST_CHECK_THROW(load_tile(memory, handle, {0, 0, 4, 6}, TileElement::f32, tile), AddressError);
  BOOST_CHECK_THROW(store_tile(Tile(4, 6), memory, handle, {0, 0, 4, 6}), AddressError);
  BOOST_CHECK_THROW(load_tile(memory, handle, {3, 0, 2, 6}, TileElement::f32, tile), std::out_of_range);
  BOOST_CHECK_THROW(load_tile(memory, handle, {~std::uint64_t{0}, 0, 2, 6}, TileElement::f32, tile),
                    std::out_of_range);
  BOOST_CHECK_THROW(store_tile(Tile(1, 6), memory, handle, {0, 1, 1, 6}), std::out_of_range);
  BOOST_CHECK_THROW(store_tile(Tile(2, 6), memory, handle, {0, 0, 3, 6}), std::invalid_argument);
  BOOST_CHECK_THROW(
      load_tile(memory, dense_tensor(Space::hbm, 0, {4}, DType::f16), {}, TileElement::f32, tile),
      std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
