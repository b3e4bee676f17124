// SPDX-License-Identifier: Apache-2.0
#include "petal/command/dims.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

namespace petal {

void Dims::push_back(std::uint64_t value) {
  if (rank_ == kMaxRank) throw std::length_error(fmt::format("a tensor has at most {} dimensions", kMaxRank));
  values_[rank_++] = value;
}

std::string Dims::to_string() const {
  return fmt::format("[{}]", fmt::join(begin(), end(), ", "));
}

Dims row_major_strides(const Dims& shape) {
  Dims strides = shape;
  std::uint64_t stride = 1;
  for (std::size_t axis = shape.rank(); axis-- > 0;) {
    strides[axis] = stride;
    stride *= shape[axis];
  }
  return strides;
}

}  // namespace petal
