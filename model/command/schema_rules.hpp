// SPDX-License-Identifier: Apache-2.0
//
// Whether the operands and scalars of an op are those its opcode's schema lists (SPEC 11.3).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "petal/command/op_spec.hpp"

namespace petal {

/// What is wrong, as one line that starts with the opcode's name, or nothing: an unknown opcode, another
/// number of operands, scalars missing, too many, or of another type, a tuple of more than 255 entries, a
/// GEMM size below 0.
std::optional<std::string> find_schema_error(Opcode kind, const OperandList& operands,
                                             const ScalarList& extras);

}  // namespace petal
