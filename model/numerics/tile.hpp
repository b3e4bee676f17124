// SPDX-License-Identifier: Apache-2.0
//
// Tile: a matrix in an engine's registers, row-major and without gaps. Its elements are what the engines
// compute with, f32 or i32; the dtypes of tensors exist in memory only.
#pragma once

#include <cstdint>
#include <vector>

namespace petal {

enum class TileElement : std::uint8_t { f32, i32 };

class Tile {
 public:
  /// An empty tile of f32.
  Tile() = default;
  /// A tile of zeros. Throws like `resize`.
  Tile(std::uint64_t rows, std::uint64_t columns, TileElement element = TileElement::f32);

  std::uint64_t rows() const { return rows_; }
  std::uint64_t columns() const { return columns_; }
  std::uint64_t size() const { return rows_ * columns_; }
  TileElement element() const { return element_; }

  /// Gives the tile another shape; its values are unspecified afterwards. Storage once grown is kept, so that
  /// a tile which is used again allocates nothing. Throws std::length_error if the shape cannot be held.
  void resize(std::uint64_t rows, std::uint64_t columns, TileElement element = TileElement::f32);
  /// The same values in another shape. Throws std::invalid_argument unless it has as many elements.
  void reshape(std::uint64_t rows, std::uint64_t columns);
  void set_zero();
  /// Each i32 rounded once to the nearest f32, ties to even; f32 stays as it is.
  void convert_to_f32();

  /// The values, row after row. Precondition: `element()` is f32.
  float* f32() { return f32_.data(); }
  const float* f32() const { return f32_.data(); }
  /// Precondition: `element()` is i32.
  std::int32_t* i32() { return i32_.data(); }
  const std::int32_t* i32() const { return i32_.data(); }

 private:
  std::uint64_t rows_ = 0;
  std::uint64_t columns_ = 0;
  TileElement element_ = TileElement::f32;
  // Each at least size() long where it is the one in use, and never shortened.
  std::vector<float> f32_;
  std::vector<std::int32_t> i32_;
};

}  // namespace petal
