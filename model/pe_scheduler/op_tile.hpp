// SPDX-License-Identifier: Apache-2.0
//
// What part of an operand an op needs for one output tile, under the broadcasting of epilogue operands.
#pragma once

#include "petal/command/op_spec.hpp"
#include "petal/memory/access_pattern.hpp"

namespace petal {

/// `op.operands[index]` seen as an [m, n] matrix: a broadcast axis has stride 0. A vector is one value a
/// column, except as the second operand of mul_bcast, div_bcast and exp_diff, where it is one value a row
/// (SPEC 11.3).
TensorHandle as_matrix(const OpSpec& op, std::size_t index, std::uint64_t m, std::uint64_t n);

/// Elements [first, first + count) of a tensor without gaps, in row-major order, as a vector.
TensorHandle elements_of_dense(const TensorHandle& tensor, std::uint64_t first, std::uint64_t count);

/// What `part` becomes in a staging slot at TCM address `address`: without gaps, its contiguous axis kept, so
/// that a transposed view stays one and rows move as runs.
TensorHandle staged(const TensorHandle& part, std::uint64_t address);

/// The true bytes of `rect` in what `as_matrix` makes of `op.operands[index]`: a broadcast axis counts once.
Bytes tile_bytes(const OpSpec& op, std::size_t index, const TileRect& rect);

}  // namespace petal
