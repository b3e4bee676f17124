// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "petal/command/tensor_handle.hpp"

namespace petal {

enum class TensorRole : std::uint8_t { input, output };

/// A tensor of a scenario in HBM, row-major without gaps, by the name its kernel's users know it by.
struct ScenarioTensor {
  std::string name;
  TensorRole role = TensorRole::input;
  Dims shape;
  DType dtype = DType::f32;
  std::uint64_t address = 0;

  std::uint64_t elements() const { return shape.product(); }
  std::uint64_t bytes() const { return elements() * size_of(dtype); }
};

}  // namespace petal
