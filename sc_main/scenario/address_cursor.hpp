// SPDX-License-Identifier: Apache-2.0
//
// AddressCursor: places a scenario's tensors in HBM, one after the other from address 0, each at a multiple
// of 4096 bytes.
#pragma once

#include <cstdint>

#include "petal/command/dims.hpp"
#include "petal/command/dtype.hpp"
#include "petal/command/units.hpp"

namespace petal {

class AddressCursor {
 public:
  /// `what` names the work in messages.
  AddressCursor(const char* what, Bytes capacity) : what_(what), capacity_(capacity.count()) {}

  /// The address of the next tensor. Throws ConfigError if it does not fit in the capacity.
  std::uint64_t place(const Dims& shape, DType dtype);

 private:
  [[noreturn]] void refuse() const;

  const char* what_;
  std::uint64_t capacity_;
  std::uint64_t next_ = 0;
};

}  // namespace petal
