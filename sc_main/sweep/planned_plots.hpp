// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "petal/config/sweep_config.hpp"
#include "petal/sweep/sweep_grid.hpp"
#include "petal/sweep/sweep_table.hpp"

namespace petal {

/// The study's plots with everything filled in that was left out; if it has none, the time and the dispatch
/// cycles over the longest axis. Throws ConfigError for a plot that cannot be drawn of this grid: a column
/// that is none, a crossover without two things to compare.
std::vector<PlotConfig> planned_plots(const SweepConfig& study, const SweepGrid& grid,
                                      const SweepTable& table);

}  // namespace petal
