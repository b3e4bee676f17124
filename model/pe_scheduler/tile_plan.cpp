// SPDX-License-Identifier: Apache-2.0
#include "petal/pe_scheduler/tile_plan.hpp"

#include <algorithm>

#include "petal/command/integer_math.hpp"

namespace petal {

TilePlan::TilePlan(const GemmShape& shape, const GemmTile& tile)
    : shape_(shape),
      tile_{tile.m, tile.k, tile.n},
      tiles_{divide_up(shape.m, tile.m), std::max<std::uint64_t>(1, divide_up(shape.k, tile.k)),
             divide_up(shape.n, tile.n)} {}

TileStep TilePlan::first() const {
  TileStep step;
  fill(step);
  return step;
}

void TilePlan::advance(TileStep& step) const {
  ++step.number;
  if (++step.index.k == tiles_.k) {
    step.index.k = 0;
    if (++step.index.n == tiles_.n) {
      step.index.n = 0;
      ++step.index.m;
    }
  }
  fill(step);
}

void TilePlan::fill(TileStep& step) const {
  const auto left = [](std::uint64_t size, std::uint64_t origin, std::uint64_t tile) {
    return origin < size ? std::min(tile, size - origin) : 0;
  };
  step.origin = {step.index.m * tile_.m, step.index.k * tile_.k, step.index.n * tile_.n};
  step.extent = {left(shape_.m, step.origin.m, tile_.m), left(shape_.k, step.origin.k, tile_.k),
                 left(shape_.n, step.origin.n, tile_.n)};
  step.first_k = step.index.k == 0;
  step.last_k = step.index.k + 1 == tiles_.k;
}

}  // namespace petal
