// SPDX-License-Identifier: Apache-2.0
//
// What a device asks of a decoded command of any kind before it acts on it. Bytes that decode may still be
// nonsense: a transfer between two HBM tensors, a GEMM whose operands have other sizes than it says.
#pragma once

#include <optional>
#include <string>

#include "petal/command/pe_command.hpp"

namespace petal {

/// The first rule that `command` breaks, as one line, or nothing:
///  - a DMA goes from HBM to TCM (read) or back (write), between equal shapes and dtypes, and nbytes is their
///  size;
///  - a GemmCmd's a, b and out are [m, k], [k, n] and [m, n], in TCM;
///  - a MathCmd has its schema's operands and scalars, all in TCM;
///  - a CompositeCmd obeys find_structural_error.
/// How the shapes of a MATH op's tensors must agree is the business of the MATH engine.
std::optional<std::string> find_command_error(const PeCommand& command);

}  // namespace petal
