// SPDX-License-Identifier: Apache-2.0
#include "petal/sweep/sweep_results.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "petal/config/effective_config.hpp"
#include "petal/plot/gnuplot_script.hpp"
#include "petal/sweep/sweep_crossover.hpp"
#include "petal/sweep/sweep_figures.hpp"

namespace petal {

SweepResults collect(const PlannedSweep& sweep, const PointStore& store) {
  SweepResults results{sweep.table, 0, {}, {}};
  for (std::size_t index = 0; index < sweep.grid.size(); ++index) {
    const PointResult point = store.read(index);
    results.table.add(index, point);
    if (point.summary)
      ++results.done;
    else if (point.failure)
      results.failed.emplace_back(index, *point.failure);
    else
      results.missing.push_back(index);
  }
  return results;
}

std::vector<std::size_t> due_points(const PlannedSweep& sweep, const PointStore& store) {
  std::vector<std::size_t> due;
  for (std::size_t index = 0; index < sweep.grid.size(); ++index)
    if (store.read(index).is_due()) due.push_back(index);
  return due;
}

std::string point_text(const SweepGrid& grid, std::size_t index) {
  const SweepPoint point = grid.point(index);
  std::vector<std::string> parts;
  for (std::size_t axis = 0; axis < grid.axes().size(); ++axis)
    parts.push_back(fmt::format("{} {}", grid.axes()[axis].name, point.values[axis]));
  return fmt::format("point {} ({})", index, fmt::join(parts, ", "));
}

std::vector<std::string> write_results(const PlannedSweep& sweep, const std::vector<PlotConfig>& plots,
                                       const SweepResults& results, const std::string& version,
                                       const PointStore& store) {
  store.write("sweep.csv", fmt::format("# petal sweep 1\n# version: {}\n# config: {}\n{}", version,
                                       effective_json(sweep.scenario), results.table.csv()));
  std::vector<std::string> scripts;
  for (const PlotConfig& plot : plots) {
    scripts.push_back(plot.name + ".gp");
    store.write(scripts.back(), gnuplot_script(figure_of(plot, results.table), plot.name));
    if (plot.style == PlotStyle::crossover)
      store.write(plot.name + ".crossover.csv", crossover_csv(plot, crossover_points(plot, results.table)));
  }
  return scripts;
}

}  // namespace petal
