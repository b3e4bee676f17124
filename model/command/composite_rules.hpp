// SPDX-License-Identifier: Apache-2.0
//
// What the order and scopes of a composite's ops must obey (SPEC 5 placement, 11.4, 11.5). The host asks
// before it emits, the device before it believes a descriptor; both get the same answer from the fields
// alone.
#pragma once

#include <optional>
#include <string>

#include "petal/command/pe_command.hpp"

namespace petal {

/// The first rule that `composite` breaks, as one line that names the op by index and opcode, or nothing:
///  - there is an op, and every op has its schema's operands and scalars, and an out;
///  - there is at most one GEMM; only ops after it have a scope other than KERNEL, and those follow it at
///  once;
///  - the GEMM's a, b and out are [m, k], [k, n] and [m, n] for the m, k, n it carries;
///  - out, where it is free of gaps as they are, lies apart from a and b;
///  - a tile op has the GEMM's out both as its out and as its first operand, and is no reduction;
///  - with the GEMM's out in HBM there is no KERNEL op after it;
///  - beside a GEMM, what MATH ops name is in TCM, but for the accumulator (MATH operands get no DMA).
/// K_TILE and OUTPUT_TILE ops may stand in any order among themselves.
std::optional<std::string> find_structural_error(const CompositeCmd& composite);

}  // namespace petal
