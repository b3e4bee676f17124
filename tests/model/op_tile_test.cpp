// SPDX-License-Identifier: Apache-2.0
#include "petal/pe_scheduler/op_tile.hpp"

#include <boost/test/unit_test.hpp>

#include "command/sample_commands.hpp"

namespace {

using namespace petal;
using petal::test::in_tcm;

const TensorHandle kOut = in_tcm(0, {8, 6});

/// An epilogue op on an [8, 6] out with `other` as its second operand.
OpSpec op_with(Opcode kind, const TensorHandle& other) {
  return petal::test::op(kind, {kOut, other}, kOut, {}, Scope::output_tile);
}

/// `other` as that operand.
TensorHandle view_of(Opcode kind, const TensorHandle& other) {
  return as_matrix(op_with(kind, other), 1, 8, 6);
}

/// True bytes of `other` as that operand for three rows and four columns.
std::uint64_t bytes_of_tile(Opcode kind, const TensorHandle& other) {
  return tile_bytes(op_with(kind, other), 1, {2, 1, 3, 4}).count();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(op_tile)

BOOST_AUTO_TEST_CASE(a_matrix_of_the_outs_shape_gives_a_value_an_element) {
  const TensorHandle other = in_tcm(0x400, {8, 6}, DType::f16);
  const TensorHandle view = view_of(Opcode::add, other);
  BOOST_TEST((view.shape == Dims{8, 6}));
  BOOST_TEST((view.strides == Dims{6, 1}));
  BOOST_TEST(bytes_of_tile(Opcode::add, other) == 24U);  // 3 * 4 * 2
}

BOOST_AUTO_TEST_CASE(a_vector_is_one_value_a_column) {
  const TensorHandle view = view_of(Opcode::add, in_tcm(0x400, {6}));
  BOOST_TEST((view.strides == Dims{0, 1}));
  BOOST_TEST(bytes_of_tile(Opcode::add, in_tcm(0x400, {6})) == 16U);  // 4 * 4
}

BOOST_AUTO_TEST_CASE(a_vector_is_one_value_a_row_where_the_opcode_scales_rows) {
  for (const Opcode kind : {Opcode::mul_bcast, Opcode::div_bcast, Opcode::exp_diff}) {
    const TensorHandle view = view_of(kind, in_tcm(0x400, {8}));
    BOOST_TEST((view.strides == Dims{1, 0}), name_of(kind));
    BOOST_TEST(bytes_of_tile(kind, in_tcm(0x400, {8})) == 12U, name_of(kind));  // 3 * 4
  }
}

BOOST_AUTO_TEST_CASE(an_axis_of_one_is_broadcast) {
  BOOST_TEST(bytes_of_tile(Opcode::add, in_tcm(0x400, {1, 6})) == 16U);
  BOOST_TEST(bytes_of_tile(Opcode::add, in_tcm(0x400, {8, 1})) == 12U);
  BOOST_TEST(bytes_of_tile(Opcode::add, in_tcm(0x400, {1, 1})) == 4U);
  BOOST_TEST(bytes_of_tile(Opcode::add, in_tcm(0x400, {1})) == 4U);
  BOOST_TEST(bytes_of_tile(Opcode::add, in_tcm(0x400, {})) == 4U);
}

// Elements [2, 1] to [4, 4] of a value a column: bytes 4 to 20 of it.
BOOST_AUTO_TEST_CASE(the_range_of_a_broadcast_tile_is_that_of_the_values_it_needs) {
  const ByteRange columns = part_of(view_of(Opcode::add, in_tcm(0x400, {6})), {2, 1, 3, 4}).range();
  BOOST_TEST(columns.begin == 0x404U);
  BOOST_TEST(columns.end == 0x414U);
  const ByteRange rows = part_of(view_of(Opcode::mul_bcast, in_tcm(0x400, {8})), {2, 1, 3, 4}).range();
  BOOST_TEST(rows.begin == 0x408U);
  BOOST_TEST(rows.end == 0x414U);
}

// A square out does not make the two confusable.
BOOST_AUTO_TEST_CASE(rows_are_scaled_even_if_the_matrix_is_square) {
  const TensorHandle square = in_tcm(0, {4, 4});
  const auto view = [&](Opcode kind) {
    return as_matrix(petal::test::op(kind, {square, in_tcm(0x400, {4})}, square), 1, 4, 4);
  };
  BOOST_TEST((view(Opcode::mul_bcast).strides == Dims{1, 0}));
  BOOST_TEST((view(Opcode::mul).strides == Dims{0, 1}));
}

BOOST_AUTO_TEST_CASE(a_part_starts_at_its_first_element_and_keeps_the_strides) {
  const TensorHandle matrix = dense_tensor(Space::hbm, 0x1000, {16, 32}, DType::f16);
  const TensorHandle part = part_of(matrix, {2, 4, 3, 8});
  BOOST_TEST(part.address == 0x1000U + (2 * 32 + 4) * 2);
  BOOST_TEST((part.shape == Dims{3, 8}));
  BOOST_TEST((part.strides == Dims{32, 1}));
}

BOOST_AUTO_TEST_CASE(a_run_of_elements_counts_from_the_first) {
  const TensorHandle run = elements_of_dense(dense_tensor(Space::hbm, 0x1000, {16, 32}, DType::f16), 20, 6);
  BOOST_TEST((run.range() == ByteRange{Space::hbm, 0x1000 + 20 * 2, 0x1000 + 26 * 2}));
}

BOOST_AUTO_TEST_CASE(a_staged_part_has_no_gaps_and_keeps_its_contiguous_axis) {
  const TensorHandle matrix = dense_tensor(Space::hbm, 0x1000, {16, 32}, DType::f16);
  const TensorHandle rows = staged(part_of(matrix, {2, 4, 3, 8}), 0x40);
  BOOST_TEST((rows.same_tensor(dense_tensor(Space::tcm, 0x40, {3, 8}, DType::f16))));
  const TensorHandle columns = staged(part_of(transposed(matrix), {4, 2, 8, 3}), 0x40);
  BOOST_TEST((columns.same_tensor(transposed(dense_tensor(Space::tcm, 0x40, {3, 8}, DType::f16)))));
}

BOOST_AUTO_TEST_SUITE_END()
