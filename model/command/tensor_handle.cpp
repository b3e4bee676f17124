// SPDX-License-Identifier: Apache-2.0
#include "petal/command/tensor_handle.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace petal {

const char* name_of(Space space) {
  return space == Space::hbm ? "hbm" : "tcm";
}

std::string TensorHandle::to_string() const {
  return fmt::format("{}{}@{}:{:#x}", name_of(dtype), shape.to_string(), name_of(space), address);
}

TensorHandle dense_tensor(Space space, std::uint64_t address, const Dims& shape, DType dtype) {
  TensorHandle tensor;
  tensor.address = address;
  tensor.shape = shape;
  tensor.strides = row_major_strides(shape);
  tensor.dtype = dtype;
  tensor.space = space;
  return tensor;
}

TensorHandle transposed(const TensorHandle& tensor) {
  const std::size_t rank = tensor.shape.rank();
  if (rank < 2) throw std::invalid_argument("only a tensor of two or more axes can be transposed");
  TensorHandle view = tensor;
  std::swap(view.shape[rank - 2], view.shape[rank - 1]);
  std::swap(view.strides[rank - 2], view.strides[rank - 1]);
  return view;
}

}  // namespace petal
