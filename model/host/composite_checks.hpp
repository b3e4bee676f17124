// SPDX-License-Identifier: Apache-2.0
//
// Checks of a composite that need the request or the launch's options. All throw EmitError.
#pragma once

#include "petal/command/op_spec.hpp"
#include "petal/host/composite_request.hpp"
#include "petal/host/math_lowering.hpp"
#include "petal/host/tl_options.hpp"

namespace petal {

/// What the operands of a MATH head are called in a CompositeRequest, in schema order.
inline constexpr const char* kMathHeadNames[] = {"a", "b", "c"};

/// An error for a head other than "gemm" and "math", and for a field that this head would ignore.
void check_head_fields(const CompositeRequest& request);

/// An error if `op`, a MATH head, has an operand or out in HBM that cannot be streamed: streaming is off
/// (pe_scheduler.math_head_streaming), the tensor has gaps, or a row is cut by a chunk of gemm_tile.m x
/// gemm_tile.n elements although the op needs it whole (SPEC 3, 11.15), or the op is band_mask. `names` are
/// the operands', then "out".
void check_math_head_streaming(const OpSpec& op, const OperandNames& names, const TlOptions& options);

}  // namespace petal
