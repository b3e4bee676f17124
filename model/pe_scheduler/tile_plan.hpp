// SPDX-License-Identifier: Apache-2.0
//
// TilePlan: the tile loop of one GEMM, worked out step by step, so that memory does not grow with the number
// of tiles. Loop order m, n, k with k innermost; ragged edges have their true sizes (SPEC 5).
#pragma once

#include "petal/command/op_spec.hpp"
#include "petal/observe/event.hpp"
#include "petal/pe_scheduler/pe_scheduler_config.hpp"

namespace petal {

/// One step: the product of one A tile and one B tile.
struct TileStep {
  std::uint64_t number = 0;  ///< from 0
  TileIndex index;
  GemmShape origin;  ///< of the tile in elements
  GemmShape extent;  ///< true size in elements
  bool first_k = true;
  bool last_k = true;  ///< the output tile is complete after this step
};

class TilePlan {
 public:
  TilePlan() = default;
  TilePlan(const GemmShape& shape, const GemmTile& tile);

  /// Number of steps; 0 when m or n is 0. With k = 0 there is one step without a product for each output
  /// tile.
  std::uint64_t steps() const { return tiles_.m * tiles_.n * tiles_.k; }
  /// Position of an output tile among all of them, in loop order.
  std::uint64_t out_tile_number(const TileIndex& tile) const { return tile.m * tiles_.n + tile.n; }
  TileStep first() const;
  /// Step `number`, which is that of `tile`.
  TileStep step_at(std::uint64_t number, const TileIndex& tile) const;
  /// Moves `step` on to the next one. Precondition: `step.number + 1 < steps()`, or the result is not used.
  void advance(TileStep& step) const;

 private:
  void fill_m(TileStep& step) const;
  void fill_k(TileStep& step) const;
  void fill_n(TileStep& step) const;

  GemmShape shape_;
  GemmShape tile_{1, 1, 1};
  GemmShape tiles_;
};

}  // namespace petal
