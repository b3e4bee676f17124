// SPDX-License-Identifier: Apache-2.0
#include "petal/pe_scheduler/op_tile.hpp"

namespace petal {
namespace {

bool is_one_value_a_row(const OpSpec& op, std::size_t index) {
  return index == 1 &&
         (op.kind == Opcode::mul_bcast || op.kind == Opcode::div_bcast || op.kind == Opcode::exp_diff);
}

struct MatrixStrides {
  std::uint64_t row;
  std::uint64_t column;
};

std::uint64_t stride_along(const TensorHandle& tensor, std::size_t axis) {
  return tensor.shape[axis] == 1 ? 0 : tensor.strides[axis];
}

/// Of `op.operands[index]` seen as a matrix; 0 along a broadcast axis.
MatrixStrides matrix_strides(const OpSpec& op, std::size_t index) {
  const TensorHandle& tensor = op.operands.at(index);
  const std::size_t rank = tensor.shape.rank();
  if (rank == 0) return {0, 0};
  const std::uint64_t last = stride_along(tensor, rank - 1);
  if (rank == 1) return is_one_value_a_row(op, index) ? MatrixStrides{last, 0} : MatrixStrides{0, last};
  return {stride_along(tensor, rank - 2), last};
}

}  // namespace

TensorHandle as_matrix(const OpSpec& op, std::size_t index, std::uint64_t m, std::uint64_t n) {
  const MatrixStrides strides = matrix_strides(op, index);
  TensorHandle view = op.operands.at(index);
  view.shape = {m, n};
  view.strides = {strides.row, strides.column};
  return view;
}

TensorHandle elements_of_dense(const TensorHandle& tensor, std::uint64_t first, std::uint64_t count) {
  TensorHandle part = tensor;
  part.address += first * size_of(tensor.dtype);
  part.shape = {count};
  part.strides = {1};
  return part;
}

TensorHandle staged(const TensorHandle& part, std::uint64_t address) {
  TensorHandle slot = part;
  slot.space = Space::tcm;
  slot.address = address;
  const bool is_transposed = part.shape.rank() == 2 && part.strides[1] > part.strides[0];
  slot.strides = is_transposed ? Dims{1, part.shape[0]} : row_major_strides(part.shape);
  return slot;
}

Bytes tile_bytes(const OpSpec& op, std::size_t index, const TileRect& rect) {
  const MatrixStrides strides = matrix_strides(op, index);
  const std::uint64_t rows = strides.row == 0 ? 1 : rect.rows;
  const std::uint64_t columns = strides.column == 0 ? 1 : rect.columns;
  return Bytes(rows * columns * size_of(op.operands[index].dtype));
}

}  // namespace petal
