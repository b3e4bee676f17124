// SPDX-License-Identifier: Apache-2.0
#include "petal/numerics/tensor_tile.hpp"

#include <boost/test/unit_test.hpp>
#include <stdexcept>

#include "numerics/numbers.hpp"
#include "petal/memory/dense_memory.hpp"
#include "petal/numerics/element_codec.hpp"

using namespace petal;
using namespace petal::test;

namespace {

constexpr std::uint64_t kAddress = 64;

/// 500 f32 from kAddress on: element i is i.
struct CountedMemory {
  CountedMemory() : memory("tcm", 4096) {
    for (std::uint64_t index = 0; index < 500; ++index) {
      const auto value = static_cast<float>(index);
      std::byte stored[4];
      encode(&value, DType::f32, stored, 1);
      memory.write(kAddress + 4 * index, stored, 4);
    }
  }

  float at(std::uint64_t index) const {
    std::byte stored[4];
    memory.read(kAddress + 4 * index, stored, 4);
    float value = 0;
    decode(stored, DType::f32, &value, 1);
    return value;
  }

  DenseMemory memory;
};

TensorHandle view(const Dims& shape, const Dims& strides) {
  TensorHandle handle = dense_tensor(Space::tcm, kAddress, shape, DType::f32);
  handle.strides = strides;
  return handle;
}

/// Rank 0 to 4, dense and not, and transposed.
std::vector<TensorHandle> views() {
  return {view({}, {}),
          view({7}, {1}),
          view({7}, {3}),
          view({3, 5}, {5, 1}),
          view({3, 5}, {9, 1}),
          view({3, 5}, {1, 3}),
          view({2, 3, 5}, {15, 5, 1}),
          view({2, 3, 5}, {40, 1, 3}),
          view({2, 2, 3, 5}, {30, 15, 5, 1}),
          view({2, 2, 3, 5}, {5, 200, 20, 1}),
          view({0, 3, 5}, {15, 5, 1}),
          view({2, 0}, {1, 1})};
}

/// The index of each element, in row-major order of the view, by the definition of strides.
std::vector<float> indices_of(const TensorHandle& tensor) {
  std::vector<float> indices;
  for (std::uint64_t flat = 0; flat < tensor.elements(); ++flat) {
    std::uint64_t rest = flat, offset = 0;
    for (std::size_t axis = tensor.shape.rank(); axis-- > 0;) {
      offset += rest % tensor.shape[axis] * tensor.strides[axis];
      rest /= tensor.shape[axis];
    }
    indices.push_back(static_cast<float>(offset));
  }
  return indices;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tensor_tile)

BOOST_AUTO_TEST_CASE(the_last_axis_makes_the_columns) {
  const auto shape = [](const Dims& dims) {
    const MathShape matrix = matrix_shape_of(dims);
    return std::pair(matrix.rows, matrix.columns);
  };
  using Pair = std::pair<std::uint64_t, std::uint64_t>;
  BOOST_TEST((shape({}) == Pair{1, 1}));
  BOOST_TEST((shape({7}) == Pair{1, 7}));
  BOOST_TEST((shape({3, 5}) == Pair{3, 5}));
  BOOST_TEST((shape({2, 3, 5}) == Pair{6, 5}));
  BOOST_TEST((shape({2, 0, 3, 5}) == Pair{0, 5}));
}

BOOST_AUTO_TEST_CASE(tensors_of_every_rank_are_read_in_row_major_order) {
  const CountedMemory counted;
  for (const TensorHandle& tensor : views()) {
    Tile tile;
    load_tensor(counted.memory, tensor, TileElement::f32, tile);
    const MathShape shape = matrix_shape_of(tensor.shape);
    BOOST_TEST(tile.rows() == shape.rows);
    BOOST_TEST(tile.columns() == shape.columns);
    BOOST_TEST((values_of(tile) == indices_of(tensor)), tensor.to_string());
  }
}

// What is written reads back, in a tile of any shape with as many elements, and no other byte changes.
BOOST_AUTO_TEST_CASE(tensors_of_every_rank_are_written_in_row_major_order) {
  for (const TensorHandle& tensor : views()) {
    CountedMemory counted;
    std::vector<float> values;
    for (std::uint64_t index = 0; index < tensor.elements(); ++index)
      values.push_back(1000.0F + static_cast<float>(index));
    Tile tile = tile_of(1, tensor.elements(), values);
    store_tensor(tile, counted.memory, tensor);
    std::vector<float> expected(500);
    for (std::size_t index = 0; index < expected.size(); ++index) expected[index] = static_cast<float>(index);
    const std::vector<float> places = indices_of(tensor);
    for (std::size_t index = 0; index < places.size(); ++index)
      expected[static_cast<std::size_t>(places[index])] = values[index];
    for (std::uint64_t index = 0; index < 500; ++index)
      BOOST_TEST_REQUIRE(counted.at(index) == expected[index], tensor.to_string() << ", element " << index);
  }
}

BOOST_AUTO_TEST_CASE(a_tile_with_another_number_of_elements_is_refused) {
  CountedMemory counted;
  Tile tile(2, 3);
  BOOST_CHECK_THROW(store_tensor(tile, counted.memory, view({5}, {1})), std::invalid_argument);
  BOOST_CHECK_NO_THROW(store_tensor(tile, counted.memory, view({6}, {1})));
  BOOST_TEST(tile.rows() == 1U);
}

BOOST_AUTO_TEST_CASE(integers_stay_integers) {
  DenseMemory memory("tcm", 4096);
  const TensorHandle tensor = dense_tensor(Space::tcm, 0, {2, 2, 2}, DType::i32);
  const std::vector<std::int32_t> values{1, -2, 16777217, 4, 5, 6, 7, -2147483647};
  Tile tile = integer_tile_of(2, 4, values);
  store_tensor(tile, memory, tensor);
  Tile back;
  load_tensor(memory, tensor, TileElement::i32, back);
  BOOST_TEST((integers_of(back) == values));
}

// Two axes keep a repeated axis as one row or column; more do not have it.
BOOST_AUTO_TEST_CASE(a_repeated_axis_is_one_row_or_column) {
  const CountedMemory counted;
  Tile tile;
  load_tensor(counted.memory, view({4, 5}, {0, 1}), TileElement::f32, tile);
  BOOST_TEST((values_of(tile) == std::vector<float>{0, 1, 2, 3, 4}));
  BOOST_TEST(tile.rows() == 1U);
  load_tensor(counted.memory, view({4, 5}, {2, 0}), TileElement::f32, tile);
  BOOST_TEST((values_of(tile) == std::vector<float>{0, 2, 4, 6}));
  BOOST_TEST(tile.columns() == 1U);
  BOOST_CHECK_THROW(load_tensor(counted.memory, view({2, 4, 5}, {5, 0, 1}), TileElement::f32, tile),
                    std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
