// SPDX-License-Identifier: Apache-2.0
//
// Checks of kernels' arguments that several kernels make. `kernel` is what messages begin with.
#pragma once

#include <cstdint>

#include "petal/command/dtype.hpp"

namespace petal {

/// Throws ConfigError, naming the argument, if `value` is 0.
void require_positive(const char* kernel, const char* name, std::uint64_t value);
/// Throws ConfigError, naming the argument, if `dtype` is no floating-point type.
void require_floating(const char* kernel, const char* name, DType dtype);

}  // namespace petal
