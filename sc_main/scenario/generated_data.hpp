// SPDX-License-Identifier: Apache-2.0
//
// The values of tensors that no file gives: the same on every machine, for a seed, a tensor's name and an
// element's index, whatever else there is.
//
// Floating-point tensors are uniform in [-1, 1), rounded to the tensor's dtype; integers are uniform over
// -128 to 127; booleans are true or false alike.
#pragma once

#include <cstdint>
#include <string_view>

#include "petal/command/dtype.hpp"

namespace petal {

class GeneratedData {
 public:
  GeneratedData(std::uint64_t seed, std::string_view tensor);

  /// Element `index` of a tensor of `dtype`, before it is rounded to it.
  double value(std::uint64_t index, DType dtype) const;

 private:
  std::uint64_t stream_;
};

}  // namespace petal
