// SPDX-License-Identifier: Apache-2.0
//
// Moves a rectangle of a tensor between a memory and a tile (FETCH and STORE in data mode). The tile is
// row-major and without gaps whatever the view's strides are, so that a transposed view gives a transposed
// tile.
//
// An axis of stride 0 repeats one value; the tile then has one row, or one column, along it, unless it has no
// elements at all. What is read is decoded and what is written is rounded once (element_codec.hpp).
#pragma once

#include "petal/command/tensor_handle.hpp"
#include "petal/memory/access_pattern.hpp"
#include "petal/memory/byte_memory.hpp"
#include "petal/numerics/tile.hpp"

namespace petal {

/// Reads `rect` of the rank-2 `view` into `tile`, which takes the rectangle's shape and the element kind
/// asked for. Throws AddressError where the memory ends before the rectangle; std::out_of_range if the
/// rectangle is not within the view; std::invalid_argument if the view is not of rank 2, or a floating-point
/// one is to be read as i32.
void load_tile(const ByteMemory& memory, const TensorHandle& view, const TileRect& rect, TileElement element,
               Tile& tile);

/// Writes `tile` to `rect` of `view`; its shape is the one `load_tile` would give. Throws AddressError, with
/// the rows before the one at fault written; otherwise as `load_tile`, and std::invalid_argument for a tile
/// of another shape.
void store_tile(const Tile& tile, ByteMemory& memory, const TensorHandle& view, const TileRect& rect);

}  // namespace petal
