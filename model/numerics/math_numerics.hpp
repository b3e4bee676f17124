// SPDX-License-Identifier: Apache-2.0
//
// The arithmetic of PE_MATH (SPEC 6): every opcode but gemm, in f32, a tile at a time.
//
// - Each addition, subtraction, multiplication and division is rounded once to f32. fma is a product and then
// a sum:
//   two roundings. exp_diff subtracts in f32 and exponentiates the rounded difference.
// - exp, tanh, erfc and 1/sqrt are evaluated in double and the result of the opcode is rounded once to f32.
// The C
//   libraries' double functions differ in the last bits of a double, which an f32 practically never shows:
//   that is what makes results the same on every host, short of a number within about 1e-9 of a rounding
//   boundary.
// - softcap is cap * tanh(src / cap), all of it in double.
// - gelu is the exact form, src * Phi(src) = src / 2 * erfc(-src / sqrt 2). gelu and silu of -inf are their
// limit, 0.
// - A NaN operand gives a NaN, in rmax, max_elem, clamp_min and relu too. exp_diff(-inf, -inf) is 0 (SPEC 6).
// - rsum adds in f32, columns ascending; rmax of no columns is -inf, rsum of none 0.
// - An i32 operand is rounded to f32 first, except that a copy of an i32 tile is an i32 tile.
#pragma once

#include <vector>

#include "petal/command/op_spec.hpp"
#include "petal/numerics/tile.hpp"

namespace petal {

/// The rows and columns of a tile of work: the out's, or for a reduction its source's.
struct MathShape {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t first_row = 0;  ///< where the tile lies in the whole matrix: band_mask counts from there
  std::uint64_t first_column = 0;
};

/// Applies `op` with its scalars; its tensors are not looked at. `operands` stand in the order of the
/// opcode's schema; one that has a single row or column where `shape` has more is repeated along it. `result`
/// becomes [rows, columns], or [rows, 1] for a reduction; it may be one of the operands (an accumulator
/// updated in place). Throws std::invalid_argument for gemm, another number of operands, or an operand that
/// does not fit `shape`.
void apply_math(const OpSpec& op, const std::vector<const Tile*>& operands, MathShape shape, Tile& result);

}  // namespace petal
