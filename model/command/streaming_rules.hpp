// SPDX-License-Identifier: Apache-2.0
//
// Which MATH ops can be streamed from and to HBM in chunks of elements (SPEC 11.15).
#pragma once

#include <cstdint>
#include <optional>

#include "petal/command/math_rules.hpp"
#include "petal/command/op_spec.hpp"

namespace petal {

/// True if the elements of `tensor` lie in row-major order without gaps.
bool is_dense(const TensorHandle& tensor);

/// True if `op` names a tensor in HBM.
bool touches_hbm(const OpSpec& op);

/// The first tensor of `op` that cannot be cut into chunks of `chunk_elements`, or nothing: all of them are
/// dense; an operand beside the first has its shape, or one value a row or in all; rows that one value goes
/// with, or that are reduced, are not cut; band_mask, which counts rows and columns of the whole, is not
/// streamed. Precondition: find_operand_problem has found nothing.
std::optional<MathProblem> find_streaming_problem(const OpSpec& op, std::uint64_t chunk_elements);

}  // namespace petal
