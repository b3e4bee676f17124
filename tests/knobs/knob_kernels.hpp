// SPDX-License-Identifier: Apache-2.0
//
// Kernels for knobs that the shipped ones do not exercise.
#pragma once

#include "petal/host/tl_context.hpp"

namespace petal::test {

/// 32 x 1024 x 32 f16, both operands streamed: sixteen steps.
void streamed_product(TlContext& tl);
/// A GEMM of eight tiles beside an exp, both from TCM.
void product_beside_exp(TlContext& tl);
/// 8 rows of 256 bytes, 2048 apart.
void strided_load(TlContext& tl);
/// A MATH composite on HBM, where that may be issued.
void streamed_math(TlContext& tl);
/// Three rows of 282 bytes, 1000 apart from 58 on, each of which crosses a multiple of 256.
void ragged_load(TlContext& tl);

}  // namespace petal::test
