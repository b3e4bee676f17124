// SPDX-License-Identifier: Apache-2.0
//
// Where two kernels, or two columns, of a sweep meet.
#pragma once

#include <string>
#include <vector>

#include "petal/config/sweep_config.hpp"
#include "petal/sweep/sweep_table.hpp"

namespace petal {

/// One point of a crossover's curve.
struct CrossoverPoint {
  std::vector<std::string> series;  ///< the values of `plot.series`
  std::string at;                   ///< the ratio
  std::string x;
  double y = 0;
};

/// Where the two things that `plot`, a planned crossover, compares meet. Points of the sweep that are missing
/// are left out.
std::vector<CrossoverPoint> crossover_points(const PlotConfig& plot, const SweepTable& table);
/// The same as CSV: the series' columns, "ratio", and the plot's x and y.
std::string crossover_csv(const PlotConfig& plot, const std::vector<CrossoverPoint>& points);

}  // namespace petal
