// SPDX-License-Identifier: Apache-2.0
//
// Tiles made of numbers, and back.
#pragma once

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <vector>

#include "petal/numerics/tile.hpp"

namespace petal::test {

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();
inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

inline Tile tile_of(std::uint64_t rows, std::uint64_t columns, const std::vector<float>& values) {
  Tile tile(rows, columns);
  std::copy(values.begin(), values.end(), tile.f32());
  return tile;
}

inline Tile integer_tile_of(std::uint64_t rows, std::uint64_t columns,
                            const std::vector<std::int32_t>& values) {
  Tile tile(rows, columns, TileElement::i32);
  std::copy(values.begin(), values.end(), tile.i32());
  return tile;
}

inline std::vector<float> values_of(const Tile& tile) {
  return {tile.f32(), tile.f32() + tile.size()};
}

inline std::vector<std::int32_t> integers_of(const Tile& tile) {
  return {tile.i32(), tile.i32() + tile.size()};
}

inline std::uint32_t bits(float value) {
  std::uint32_t code = 0;
  std::memcpy(&code, &value, sizeof(code));
  return code;
}

}  // namespace petal::test
