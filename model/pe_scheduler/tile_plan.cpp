// SPDX-License-Identifier: Apache-2.0
#include "petal/pe_scheduler/tile_plan.hpp"

#include <algorithm>

#include "petal/command/integer_math.hpp"

namespace petal {
namespace {

/// Of `size` elements from `origin` on, at most a tile.
std::uint64_t left(std::uint64_t size, std::uint64_t origin, std::uint64_t tile) {
  return origin < size ? std::min(tile, size - origin) : 0;
}

}  // namespace

TilePlan::TilePlan(const GemmShape& shape, const GemmTile& tile)
    : shape_(shape),
      tile_{tile.m, tile.k, tile.n},
      tiles_{divide_up(shape.m, tile.m), std::max<std::uint64_t>(1, divide_up(shape.k, tile.k)),
             divide_up(shape.n, tile.n)} {}

TileStep TilePlan::first() const {
  return step_at(0, TileIndex{});
}

TileStep TilePlan::step_at(std::uint64_t number, const TileIndex& tile) const {
  TileStep step;
  step.number = number;
  step.index = tile;
  fill_m(step);
  fill_k(step);
  fill_n(step);
  return step;
}

// An axis of one tile stays as it is.
void TilePlan::advance(TileStep& step) const {
  ++step.number;
  const bool ends_k = ++step.index.k == tiles_.k;
  if (ends_k) step.index.k = 0;
  if (tiles_.k > 1) fill_k(step);
  if (!ends_k) return;
  const bool ends_n = ++step.index.n == tiles_.n;
  if (ends_n) step.index.n = 0;
  if (tiles_.n > 1) fill_n(step);
  if (!ends_n) return;
  ++step.index.m;
  fill_m(step);
}

void TilePlan::fill_m(TileStep& step) const {
  step.origin.m = step.index.m * tile_.m;
  step.extent.m = left(shape_.m, step.origin.m, tile_.m);
}

void TilePlan::fill_k(TileStep& step) const {
  step.origin.k = step.index.k * tile_.k;
  step.extent.k = left(shape_.k, step.origin.k, tile_.k);
  step.first_k = step.index.k == 0;
  step.last_k = step.index.k + 1 == tiles_.k;
}

void TilePlan::fill_n(TileStep& step) const {
  step.origin.n = step.index.n * tile_.n;
  step.extent.n = left(shape_.n, step.origin.n, tile_.n);
}

}  // namespace petal
