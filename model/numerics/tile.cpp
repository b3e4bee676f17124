// SPDX-License-Identifier: Apache-2.0
#include "petal/numerics/tile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace petal {
namespace {

constexpr std::uint64_t kMaxElements = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(float);

template <typename T>
void grow(std::vector<T>& values, std::uint64_t size) {
  if (values.size() < size) values.resize(size);
}

}  // namespace

Tile::Tile(std::uint64_t rows, std::uint64_t columns, TileElement element) {
  resize(rows, columns, element);
  set_zero();
}

void Tile::resize(std::uint64_t rows, std::uint64_t columns, TileElement element) {
  if (columns != 0 && rows > kMaxElements / columns)
    throw std::length_error(fmt::format("a tile of {} x {} elements; it holds at most {}, use smaller tiles",
                                        rows, columns, kMaxElements));
  if (element == TileElement::f32)
    grow(f32_, rows * columns);
  else
    grow(i32_, rows * columns);
  rows_ = rows;
  columns_ = columns;
  element_ = element;
}

void Tile::reshape(std::uint64_t rows, std::uint64_t columns) {
  if (columns != 0 ? rows != size() / columns || size() % columns != 0 : size() != 0)
    throw std::invalid_argument(fmt::format("a tile of {} x {} elements cannot become one of {} x {}", rows_,
                                            columns_, rows, columns));
  rows_ = rows;
  columns_ = columns;
}

void Tile::set_zero() {
  if (element_ == TileElement::f32)
    std::fill_n(f32_.begin(), size(), 0.0F);
  else
    std::fill_n(i32_.begin(), size(), 0);
}

void Tile::convert_to_f32() {
  if (element_ == TileElement::f32) return;
  grow(f32_, size());
  std::transform(i32_.begin(), i32_.begin() + static_cast<std::ptrdiff_t>(size()), f32_.begin(),
                 [](std::int32_t value) { return static_cast<float>(value); });
  element_ = TileElement::f32;
}

}  // namespace petal
