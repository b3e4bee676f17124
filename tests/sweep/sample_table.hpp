// SPDX-License-Identifier: Apache-2.0
//
// A table of opt3 and opt2 over FIXED and R, with the dispatch cycles a tile that the cost formula gives
// them.
#pragma once

#include <string>

#include "petal/sweep/sweep_table.hpp"
#include "sample_sweep.hpp"

namespace petal::test {

inline SweepGrid dispatch_grid() {
  return sweep_grid({}, {"byte_cycles_recip=0.0625,0.25", "fixed_per_cmd_cycles=0,10,40"}, {"opt3", "opt2"});
}

inline SweepTable dispatch_table() {
  const SweepGrid grid = dispatch_grid();
  SweepTable table(grid, {});
  for (std::size_t i = 0; i < grid.size(); ++i) {
    const SweepPoint point = grid.point(i);
    const double r = std::stod(point.values[0]);
    const double fixed = std::stod(point.values[1]);
    const bool is_opt3 = point.kernel == "gqa_decode_opt3";
    const double cycles = is_opt3 ? 10 * fixed + 372 * r : 2 * fixed + 380 * r;
    table.add(i, sample_result(*point.kernel, 1000, cycles));
  }
  return table;
}

}  // namespace petal::test
