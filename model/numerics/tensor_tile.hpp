// SPDX-License-Identifier: Apache-2.0
//
// Whole tensors of any rank as tiles: the last axis makes the columns, all others together the rows.
#pragma once

#include "petal/command/tensor_handle.hpp"
#include "petal/memory/byte_memory.hpp"
#include "petal/numerics/math_numerics.hpp"
#include "petal/numerics/tile.hpp"

namespace petal {

/// The shape `tensor` has as a matrix: a scalar is [1, 1], a vector one row.
MathShape matrix_shape_of(const Dims& shape);

/// Reads all of `tensor` into `tile`, in its matrix shape; an axis that repeats one value (stride 0) of a
/// tensor of up to two axes stays one row or column. Throws as `load_tile`.
void load_tensor(const ByteMemory& memory, const TensorHandle& tensor, TileElement element, Tile& tile);

/// Writes `tile`, which has as many elements as `tensor`, in row-major order whatever its shape; afterwards
/// it has the tensor's matrix shape. Throws as `store_tile`, and std::invalid_argument for another number of
/// elements.
void store_tensor(Tile& tile, ByteMemory& memory, const TensorHandle& tensor);

}  // namespace petal
