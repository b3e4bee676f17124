// SPDX-License-Identifier: Apache-2.0
//
// What a sweep's folder comes to when its points are there.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "petal/sweep/point_store.hpp"
#include "petal/sweep/sweep_request.hpp"

namespace petal {

struct SweepResults {
  SweepTable table;
  std::size_t done = 0;
  std::vector<std::pair<std::size_t, PointFailure>> failed;
  std::vector<std::size_t> missing;
};

/// Reads every point of the grid from `store`.
SweepResults collect(const PlannedSweep& sweep, const PointStore& store);

/// The points that have to be run, in the grid's order.
std::vector<std::size_t> due_points(const PlannedSweep& sweep, const PointStore& store);

/// Point `index` for people: "point 12 (tile 64, kernel gemm)".
std::string point_text(const SweepGrid& grid, std::size_t index);

/// Writes sweep.csv and, for each plot, NAME.gp and for a crossover NAME.crossover.csv. The CSV file begins
/// with lines that start with '#': format, version, the scenario's configuration. Returns the names of the
/// gnuplot scripts.
std::vector<std::string> write_results(const PlannedSweep& sweep, const std::vector<PlotConfig>& plots,
                                       const SweepResults& results, const std::string& version,
                                       const PointStore& store);

}  // namespace petal
