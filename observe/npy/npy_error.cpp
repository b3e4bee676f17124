// SPDX-License-Identifier: Apache-2.0
#include "petal/npy/npy_error.hpp"

#include <fmt/format.h>

namespace petal {

NpyError::NpyError(const std::string& file, const std::string& problem, const std::string& remedy)
    : ConfigError(fmt::format("'{}': {}; {}", file, problem, remedy)) {}

}  // namespace petal
