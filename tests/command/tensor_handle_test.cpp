// SPDX-License-Identifier: Apache-2.0
#include "petal/command/tensor_handle.hpp"

#include <boost/test/unit_test.hpp>
#include <stdexcept>

#include "sample_commands.hpp"

using namespace petal;
using namespace petal::test;

BOOST_AUTO_TEST_SUITE(tensor_handle)

BOOST_AUTO_TEST_CASE(pinned_means_in_tcm) {
  BOOST_TEST(in_tcm(0, {4}).pinned());
  BOOST_TEST(!in_hbm(0, {4}).pinned());
}

BOOST_AUTO_TEST_CASE(transposed_is_a_view_of_the_same_bytes) {
  const TensorHandle k = in_hbm(0x100, {64, 128});
  const TensorHandle view = transposed(k);
  BOOST_TEST((view.shape == Dims{128, 64}));
  BOOST_TEST((view.strides == Dims{1, 128}));
  BOOST_TEST(view.address == k.address);
  BOOST_TEST((view.range() == k.range()));
  BOOST_TEST(transposed(view).same_tensor(k));
  BOOST_CHECK_THROW(transposed(in_hbm(0, {64})), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(range_is_the_bounding_interval_and_bytes_leave_out_the_gaps) {
  TensorHandle rows = in_hbm(0x1000, {3, 10});
  rows.strides = {16, 1};
  // Last element (2, 9): 2 * 16 + 9 = 41, so 42 elements of 2 bytes.
  BOOST_TEST(rows.range().begin == 0x1000U);
  BOOST_TEST(rows.range().end == 0x1000U + 84U);
  BOOST_TEST(rows.bytes().count() == 60U);  // 3 * 10 * 2
  BOOST_TEST(in_hbm(0x1000, {3, 0}).range().empty());
}

BOOST_AUTO_TEST_CASE(ranges_overlap_only_in_one_space_and_by_at_least_a_byte) {
  const ByteRange range{Space::tcm, 10, 20};
  BOOST_TEST(range.overlaps({Space::tcm, 19, 30}));
  BOOST_TEST(range.overlaps({Space::tcm, 0, 11}));
  BOOST_TEST(range.overlaps({Space::tcm, 12, 13}));
  BOOST_TEST(!range.overlaps({Space::tcm, 20, 30}));
  BOOST_TEST(!range.overlaps({Space::tcm, 0, 10}));
  BOOST_TEST(!range.overlaps({Space::hbm, 10, 20}));
}

BOOST_AUTO_TEST_CASE(an_empty_range_overlaps_nothing) {
  const ByteRange range{Space::tcm, 10, 20};
  const ByteRange empty{Space::tcm, 15, 15};
  BOOST_TEST(!range.overlaps(empty));
  BOOST_TEST(!empty.overlaps(range));
  BOOST_TEST(!empty.overlaps(empty));
}

BOOST_AUTO_TEST_CASE(same_tensor_looks_at_everything_but_pending) {
  const TensorHandle tensor = in_tcm(64, {4, 8});
  TensorHandle other = tensor;
  other.pending = 7;
  BOOST_TEST(tensor.same_tensor(other));
  other.strides = {16, 1};
  BOOST_TEST(!tensor.same_tensor(other));
  BOOST_TEST(!tensor.same_tensor(in_tcm(65, {4, 8})));
  BOOST_TEST(!tensor.same_tensor(in_tcm(64, {4, 8}, DType::i32)));
  BOOST_TEST(!tensor.same_tensor(in_hbm(64, {4, 8}, DType::f32)));
  BOOST_TEST(tensor.to_string() == "f32[4, 8]@tcm:0x40");
}

BOOST_AUTO_TEST_SUITE_END()
