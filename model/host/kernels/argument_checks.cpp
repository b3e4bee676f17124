// SPDX-License-Identifier: Apache-2.0
#include "petal/host/kernels/argument_checks.hpp"

#include <fmt/format.h>

#include "petal/command/error.hpp"

namespace petal {

void require_positive(const char* kernel, const char* name, std::uint64_t value) {
  if (value == 0) throw ConfigError(fmt::format("{}: {} is 0; give 1 or more", kernel, name));
}

void require_floating(const char* kernel, const char* name, DType dtype) {
  if (!is_floating(dtype))
    throw ConfigError(fmt::format("{}: {} is {}; give a floating dtype", kernel, name, name_of(dtype)));
}

}  // namespace petal
