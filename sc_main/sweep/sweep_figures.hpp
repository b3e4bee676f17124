// SPDX-License-Identifier: Apache-2.0
//
// What a sweep's table looks like.
#pragma once

#include "petal/config/sweep_config.hpp"
#include "petal/plot/figure.hpp"
#include "petal/sweep/sweep_table.hpp"

namespace petal {

/// The picture of a plot from `planned_plots`.
Figure figure_of(const PlotConfig& plot, const SweepTable& table);

}  // namespace petal
