// SPDX-License-Identifier: Apache-2.0
#include "petal/command/error.hpp"

#include <fmt/format.h>

namespace petal {

EmitError::EmitError(std::string op, std::string operand, const std::string& problem,
                     const std::string& remedy)
    : Error(operand.empty() ? fmt::format("{}: {}; {}", op, problem, remedy)
                            : fmt::format("{}: operand '{}': {}; {}", op, operand, problem, remedy)),
      op_(std::move(op)),
      operand_(std::move(operand)) {}

}  // namespace petal
