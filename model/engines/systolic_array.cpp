// SPDX-License-Identifier: Apache-2.0
#include "petal/engines/systolic_array.hpp"

#include "petal/command/integer_math.hpp"

namespace petal {
namespace {

/// The folds of one tile, all alike.
struct FoldSequence {
  std::uint64_t folds = 0;
  std::uint64_t streamed = 0;    ///< vectors that pass through the array in each fold
  bool loads_stationary = true;  ///< os accumulates in place and loads nothing
};

FoldSequence folds_of(const SystolicArray& array, const GemmShape& tile) {
  const auto folds = [&](std::uint64_t along_rows, std::uint64_t along_cols) {
    return divide_up(along_rows, array.rows) * divide_up(along_cols, array.cols);
  };
  switch (array.dataflow) {
    case Dataflow::weight_stationary:
      return {folds(tile.k, tile.n), tile.m, true};
    case Dataflow::input_stationary:
      return {folds(tile.k, tile.m), tile.n, true};
    case Dataflow::output_stationary:
      break;
  }
  return {folds(tile.m, tile.n), tile.k, false};
}

}  // namespace

std::uint64_t systolic_cycles(const SystolicArray& array, const GemmShape& tile) {
  if (tile.m == 0 || tile.k == 0 || tile.n == 0) return 0;
  const FoldSequence sequence = folds_of(array, tile);
  const std::uint64_t streaming = sequence.folds * (sequence.streamed + array.rows + array.cols - 2);
  if (!sequence.loads_stationary) return streaming;
  const std::uint64_t exposed_loads = array.preload == Preload::overlapped ? 1 : sequence.folds;
  return exposed_loads * array.rows + streaming;
}

}  // namespace petal
