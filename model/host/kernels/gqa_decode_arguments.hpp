// SPDX-License-Identifier: Apache-2.0
//
// What follows from GqaDecodeArguments alone.
#pragma once

#include "petal/host/kernels/gqa_decode.hpp"

namespace petal {

/// Throws ConfigError, naming the argument, its value and what is allowed, for a problem that is none;
/// EmitError for a tensor that does not fit in the address space.
void check_gqa_decode_arguments(const TlContext& tl, const GqaDecodeArguments& arguments);

/// The given scale, or 1 / sqrt(d).
float gqa_decode_scale(const GqaDecodeArguments& arguments);

}  // namespace petal
