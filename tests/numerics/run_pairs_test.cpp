// SPDX-License-Identifier: Apache-2.0
#include "petal/numerics/run_pairs.hpp"

#include <boost/test/unit_test.hpp>
#include <map>
#include <random>
#include <stdexcept>

using namespace petal;

namespace {

TensorHandle view(std::uint64_t address, const Dims& shape, const Dims& strides, DType dtype = DType::f16) {
  TensorHandle handle = dense_tensor(Space::hbm, address, shape, dtype);
  handle.strides = strides;
  return handle;
}

using ByteMap = std::map<std::uint64_t, std::uint64_t>;  // a byte of `to`: the byte of `from` it comes from

ByteMap moved_by(const RunPairs& pairs) {
  ByteMap moved;
  for (std::uint64_t index = 0; index < pairs.runs(); ++index) {
    const RunPairs::Addresses run = pairs.run(index);
    for (std::uint64_t byte = 0; byte < pairs.run_bytes(); ++byte) {
      const bool is_new = moved.emplace(run.to + byte, run.from + byte).second;
      BOOST_TEST_REQUIRE(is_new);
    }
  }
  return moved;
}

/// By the definition of strides, element by element.
ByteMap expected_of(const TensorHandle& from, const TensorHandle& to) {
  ByteMap expected;
  for (std::uint64_t flat = 0; flat < from.elements(); ++flat) {
    std::uint64_t rest = flat, from_offset = 0, to_offset = 0;
    for (std::size_t axis = from.shape.rank(); axis-- > 0;) {
      from_offset += rest % from.shape[axis] * from.strides[axis];
      to_offset += rest % from.shape[axis] * to.strides[axis];
      rest /= from.shape[axis];
    }
    const std::uint64_t element = size_of(from.dtype);
    for (std::uint64_t byte = 0; byte < element; ++byte)
      expected[to.address + to_offset * element + byte] = from.address + from_offset * element + byte;
  }
  return expected;
}

/// Strides without two elements at one address: the axes in a random order, with random gaps.
Dims random_strides(const Dims& shape, std::mt19937& random) {
  std::vector<std::size_t> order;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) order.push_back(axis);
  std::shuffle(order.begin(), order.end(), random);
  Dims strides = shape;
  std::uint64_t next = 1;
  for (const std::size_t axis : order) {
    strides[axis] = next;
    next = next * shape[axis] + (random() % 3 == 0 ? random() % 4 : 0);
    if (next == 0) next = 1;
  }
  return strides;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(run_pairs)

BOOST_AUTO_TEST_CASE(dense_tensors_are_one_run) {
  const RunPairs pairs(dense_tensor(Space::hbm, 0x1000, {4, 5, 6}, DType::f16),
                       dense_tensor(Space::tcm, 0x40, {4, 5, 6}, DType::f16));
  BOOST_TEST(pairs.runs() == 1U);
  BOOST_TEST(pairs.run_bytes() == 240U);
  BOOST_TEST(pairs.run(0).from == 0x1000U);
  BOOST_TEST(pairs.run(0).to == 0x40U);
}

// Rows of 6 f16, 10 elements apart in the source and without gaps in the destination.
BOOST_AUTO_TEST_CASE(strided_rows_are_a_run_each) {
  const RunPairs pairs(view(100, {4, 6}, {10, 1}), view(0, {4, 6}, {6, 1}));
  BOOST_TEST(pairs.runs() == 4U);
  BOOST_TEST(pairs.run_bytes() == 12U);
  BOOST_TEST(pairs.run(3).from == 160U);
  BOOST_TEST(pairs.run(3).to == 36U);
}

// Both stored [6, 4] and seen [4, 6]: still one run. Only one of them: an element a run.
BOOST_AUTO_TEST_CASE(a_transposed_pair_is_as_contiguous_as_it_is_stored) {
  BOOST_TEST(RunPairs(view(0, {4, 6}, {1, 4}), view(64, {4, 6}, {1, 4})).runs() == 1U);
  const RunPairs turned(view(0, {4, 6}, {1, 4}), view(64, {4, 6}, {6, 1}));
  BOOST_TEST(turned.runs() == 24U);
  BOOST_TEST(turned.run_bytes() == 2U);
}

// An axis of one element has no neighbour, whatever its stride is.
BOOST_AUTO_TEST_CASE(the_stride_of_an_axis_of_one_does_not_matter) {
  BOOST_TEST(RunPairs(view(0, {3, 1, 5}, {5, 999, 1}), view(0, {3, 1, 5}, {5, 0, 1})).runs() == 1U);
  const RunPairs scalar(view(8, {}, {}), view(16, {}, {}));
  BOOST_TEST(scalar.runs() == 1U);
  BOOST_TEST(scalar.run_bytes() == 2U);
}

BOOST_AUTO_TEST_CASE(no_elements_are_no_runs) {
  const RunPairs pairs(view(0, {0, 64}, {64, 1}), view(0, {0, 64}, {64, 1}));
  BOOST_TEST(pairs.runs() == 0U);
  BOOST_TEST(pairs.run_bytes() == 0U);
}

BOOST_AUTO_TEST_CASE(another_shape_or_dtype_is_refused) {
  const TensorHandle from = view(0, {4, 6}, {6, 1});
  BOOST_CHECK_THROW(RunPairs(from, view(0, {6, 4}, {4, 1})), std::invalid_argument);
  BOOST_CHECK_THROW(RunPairs(from, view(0, {24}, {1})), std::invalid_argument);
  BOOST_CHECK_THROW(RunPairs(from, view(0, {4, 6}, {6, 1}, DType::f32)), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(every_byte_goes_where_its_element_belongs) {
  constexpr unsigned kSeed = 11;
  std::mt19937 random(kSeed);
  for (int round = 0; round < 200; ++round) {
    Dims shape;
    for (std::size_t rank = random() % 5; rank > 0; --rank) shape.push_back(1 + random() % 5);
    const DType dtype = kAllDTypes[random() % 8];
    const TensorHandle from = view(random() % 1000, shape, random_strides(shape, random), dtype);
    const TensorHandle to = view(random() % 1000, shape, random_strides(shape, random), dtype);
    BOOST_TEST_REQUIRE((moved_by(RunPairs(from, to)) == expected_of(from, to)),
                       "seed " << kSeed << ", round " << round << ": " << from.to_string());
  }
}

BOOST_AUTO_TEST_SUITE_END()
