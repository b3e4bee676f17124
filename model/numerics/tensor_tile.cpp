// SPDX-License-Identifier: Apache-2.0
#include "petal/numerics/tensor_tile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "petal/numerics/gather.hpp"

namespace petal {
namespace {

/// A tensor of up to two axes as a matrix.
TensorHandle as_matrix_view(const TensorHandle& tensor) {
  TensorHandle view = tensor;
  if (tensor.shape.rank() == 0) {
    view.shape = {1, 1};
    view.strides = {1, 1};
  } else if (tensor.shape.rank() == 1) {
    view.shape = {1, tensor.shape[0]};
    view.strides = {1, tensor.strides[0]};
  }
  return view;
}

TileRect whole(const TensorHandle& view) {
  return {0, 0, view.shape[0], view.shape[1]};
}

/// Calls function(matrix, first row) for each matrix of the last two axes of a tensor of more than two.
template <typename Function>
void for_each_matrix(const TensorHandle& tensor, Function function) {
  const std::size_t outer_axes = tensor.shape.rank() - 2;
  TensorHandle matrix = tensor;
  matrix.shape = {tensor.shape[outer_axes], tensor.shape[outer_axes + 1]};
  matrix.strides = {tensor.strides[outer_axes], tensor.strides[outer_axes + 1]};
  std::uint64_t matrices = 1;
  for (std::size_t axis = 0; axis < outer_axes; ++axis) matrices *= tensor.shape[axis];
  for (std::uint64_t index = 0; index < matrices; ++index) {
    std::uint64_t left = index;
    std::uint64_t offset = 0;
    for (std::size_t axis = outer_axes; axis-- > 0;) {
      offset += left % tensor.shape[axis] * tensor.strides[axis];
      left /= tensor.shape[axis];
    }
    matrix.address = tensor.address + offset * size_of(tensor.dtype);
    function(matrix, index * matrix.shape[0]);
  }
}

/// Copies rows between a tile of all of a tensor and one of a part of its rows; both of one element kind.
void copy_values(const Tile& from, std::uint64_t from_offset, Tile& to, std::uint64_t to_offset,
                 std::uint64_t count) {
  if (from.element() == TileElement::f32)
    std::copy_n(from.f32() + from_offset, count, to.f32() + to_offset);
  else
    std::copy_n(from.i32() + from_offset, count, to.i32() + to_offset);
}

}  // namespace

MathShape matrix_shape_of(const Dims& shape) {
  if (shape.rank() == 0) return {1, 1};
  std::uint64_t rows = 1;
  for (std::size_t axis = 0; axis + 1 < shape.rank(); ++axis) rows *= shape[axis];
  return {rows, shape.back()};
}

void load_tensor(const ByteMemory& memory, const TensorHandle& tensor, TileElement element, Tile& tile) {
  if (tensor.shape.rank() <= 2) {
    const TensorHandle view = as_matrix_view(tensor);
    return load_tile(memory, view, whole(view), element, tile);
  }
  const MathShape shape = matrix_shape_of(tensor.shape);
  tile.resize(shape.rows, shape.columns, element);
  Tile part;
  for_each_matrix(tensor, [&](const TensorHandle& matrix, std::uint64_t row) {
    load_tile(memory, matrix, whole(matrix), element, part);
    if (part.size() != matrix.elements())
      throw std::invalid_argument(
          fmt::format("{} repeats values; give it strides other than 0", tensor.to_string()));
    copy_values(part, 0, tile, row * shape.columns, part.size());
  });
}

void store_tensor(Tile& tile, ByteMemory& memory, const TensorHandle& tensor) {
  if (tile.size() != tensor.elements())
    throw std::invalid_argument(
        fmt::format("{} takes {} elements, not {}", tensor.to_string(), tensor.elements(), tile.size()));
  const MathShape shape = matrix_shape_of(tensor.shape);
  tile.reshape(shape.rows, shape.columns);
  if (tensor.shape.rank() <= 2) {
    const TensorHandle view = as_matrix_view(tensor);
    return store_tile(tile, memory, view, whole(view));
  }
  Tile part;
  for_each_matrix(tensor, [&](const TensorHandle& matrix, std::uint64_t row) {
    part.resize(matrix.shape[0], matrix.shape[1], tile.element());
    copy_values(tile, row * shape.columns, part, 0, part.size());
    store_tile(part, memory, matrix, whole(matrix));
  });
}

}  // namespace petal
