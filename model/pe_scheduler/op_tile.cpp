// SPDX-License-Identifier: Apache-2.0
#include "petal/pe_scheduler/op_tile.hpp"

namespace petal {
namespace {

bool is_one_value_a_row(const OpSpec& op, std::size_t index) {
  return index == 1 &&
         (op.kind == Opcode::mul_bcast || op.kind == Opcode::div_bcast || op.kind == Opcode::exp_diff);
}

std::uint64_t stride_along(const TensorHandle& tensor, std::size_t axis) {
  return tensor.shape[axis] == 1 ? 0 : tensor.strides[axis];
}

}  // namespace

TensorHandle as_matrix(const OpSpec& op, std::size_t index, std::uint64_t m, std::uint64_t n) {
  const TensorHandle& tensor = op.operands.at(index);
  TensorHandle view = tensor;
  view.shape = {m, n};
  switch (tensor.shape.rank()) {
    case 0:
      view.strides = {0, 0};
      break;
    case 1:
      view.strides =
          is_one_value_a_row(op, index) ? Dims{stride_along(tensor, 0), 0} : Dims{0, stride_along(tensor, 0)};
      break;
    default: {
      const std::size_t rank = tensor.shape.rank();
      view.strides = {stride_along(tensor, rank - 2), stride_along(tensor, rank - 1)};
    }
  }
  return view;
}

TensorHandle part_of(const TensorHandle& view, const TileRect& rect) {
  TensorHandle part = view;
  part.address += (rect.row * view.strides[0] + rect.column * view.strides[1]) * size_of(view.dtype);
  part.shape = {rect.rows, rect.columns};
  return part;
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

Bytes tile_bytes(const TensorHandle& view, const TileRect& rect) {
  const std::uint64_t rows = view.strides[0] == 0 ? 1 : rect.rows;
  const std::uint64_t columns = view.strides[1] == 0 ? 1 : rect.columns;
  return Bytes(rows * columns * size_of(view.dtype));
}

}  // namespace petal
