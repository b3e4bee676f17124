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

AddressError::AddressError(const std::string& memory, std::uint64_t address, std::uint64_t bytes,
                           std::uint64_t capacity)
    : SimulationError(fmt::format(
          "{}: {} bytes at {:#x} are not all within its {} bytes; place the tensor below {:#x}, or "
          "give the memory a larger capacity",
          memory, bytes, address, capacity, capacity)),
      address_(address),
      bytes_(bytes),
      capacity_(capacity) {}

}  // namespace petal
