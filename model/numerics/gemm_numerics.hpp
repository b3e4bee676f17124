// SPDX-License-Identifier: Apache-2.0
//
// The arithmetic of PE_GEMM (SPEC 11.17): f32 for floating-point operands, i32 for i8.
//
// The order of a sum is part of the result. Every accumulator element takes its products one by one with k
// ascending, acc = acc + a * b, each product and each sum rounded once to f32 (no fused multiply-add). So a
// result depends on neither the host, the build type, nor how K is cut into tiles: tiles given in the order
// of k carry on the same sum. An i32 sum that overflows wraps as two's complement; with i8 operands that
// takes a K above 131071.
#pragma once

#include "petal/numerics/tile.hpp"

namespace petal {

/// accumulator[m, n] += a[m, k] * b[k, n]. A k of 0 adds nothing. Throws std::invalid_argument unless the
/// shapes fit and all three have the same kind of element. The accumulator is neither `a` nor `b`.
void multiply_accumulate(const Tile& a, const Tile& b, Tile& accumulator);

/// The GEMM's `scale`, applied after the last K tile (SPEC 11.17): one rounding an element. A factor of 1
/// changes nothing; with any other an i32 accumulator becomes f32 first.
void scale_accumulator(Tile& accumulator, float factor);

}  // namespace petal
