// SPDX-License-Identifier: Apache-2.0
#include "petal/sweep/planned_plots.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "petal/command/error.hpp"
#include "petal/config/nearest_name.hpp"
#include "petal/host/kernels/kernel_catalog.hpp"

namespace petal {

namespace {

using Texts = std::vector<std::string>;

constexpr const char* kDefaultMetric = "dispatch_cycles_per_tile";

bool contains(const Texts& texts, const std::string& text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

/// Fills in and checks one plot.
class PlotPlanner {
 public:
  PlotPlanner(const SweepGrid& grid, const SweepTable& table) : grid_(grid), table_(table) {}

  PlotConfig planned(PlotConfig plot) const {
    if (plot.x.empty()) plot.x = longest_axis();
    if (plot.y.empty()) plot.y = {"time_ps"};
    require_column(plot, "x", plot.x);
    for (const std::string& column : plot.y) require_column(plot, "y", column);
    if (plot.style == PlotStyle::crossover) plan_crossover(plot);
    if (plot.series.empty()) plot.series = other_axes(plot);
    for (const std::string& column : plot.series) require_column(plot, "series", column);
    if (plot.title.empty()) plot.title = fmt::format("{} over {}", fmt::join(plot.y, ", "), plot.x);
    return plot;
  }

 private:
  void require_column(const PlotConfig& plot, const char* key, const std::string& column) const {
    if (!table_.has_column(column))
      throw ConfigError(fmt::format("plot {}: {}: '{}' is no column of the table; nearest '{}'", plot.name,
                                    key, column, nearest_name(column, table_.header())));
  }

  std::string longest_axis() const {
    const auto longest = std::max_element(grid_.axes().begin(), grid_.axes().end(),
                                          [](const SweepAxis& a, const SweepAxis& b) {
                                            return (a.name == kKernelAxis ? 0 : a.values.size()) <
                                                   (b.name == kKernelAxis ? 0 : b.values.size());
                                          });
    return longest->name;
  }

  /// Axes with more than one value that the plot does not use otherwise.
  Texts other_axes(const PlotConfig& plot) const {
    const bool kernels_compared = !plot.between.empty() && !table_.has_column(plot.between.front());
    Texts names;
    for (const SweepAxis& axis : grid_.axes()) {
      const bool is_used = axis.name == plot.x ||
                           (plot.style == PlotStyle::crossover && contains(plot.y, axis.name)) ||
                           (kernels_compared && axis.name == kKernelAxis);
      if (axis.values.size() > 1 && !is_used) names.push_back(axis.name);
    }
    return names;
  }

  void plan_crossover(PlotConfig& plot) const {
    if (plot.between.size() != 2)
      throw ConfigError(
          fmt::format("plot {}: a crossover is `between` two kernels or two columns; {} are given", plot.name,
                      plot.between.size()));
    if (plot.y.size() != 1 || grid_.axis_named(plot.y.front()) == nullptr)
      throw ConfigError(fmt::format("plot {}: the y of a crossover is one swept key; it is [{}]", plot.name,
                                    fmt::join(plot.y, ", ")));
    if (plot.at.empty()) plot.at = {"1"};
    if (table_.has_column(plot.between[0]) && table_.has_column(plot.between[1])) return;
    if (plot.metric.empty()) plot.metric = kDefaultMetric;
    require_column(plot, "metric", plot.metric);
    for (std::string& kernel : plot.between) {
      kernel = std::string(find_kernel(kernel).name);
      require_swept(plot, kernel);
    }
  }

  void require_swept(const PlotConfig& plot, const std::string& kernel) const {
    const SweepAxis* const axis = grid_.axis_named(kKernelAxis);
    const bool is_swept =
        axis != nullptr && std::any_of(axis->values.begin(), axis->values.end(),
                                       [&](const AxisValue& v) { return v.text == kernel; });
    if (!is_swept)
      throw ConfigError(
          fmt::format("plot {}: between: the sweep does not run {}; add it to the kernels, or leave "
                      "the plot out",
                      plot.name, kernel));
  }

  const SweepGrid& grid_;
  const SweepTable& table_;
};

}  // namespace

std::vector<PlotConfig> planned_plots(const SweepConfig& study, const SweepGrid& grid,
                                      const SweepTable& table) {
  const PlotPlanner planner(grid, table);
  std::vector<PlotConfig> plots = study.plots;
  if (plots.empty()) {
    plots.resize(2);
    plots[0].name = "time";
    plots[1].name = "dispatch";
    plots[1].y = {"dispatch_cycles"};
  }
  for (PlotConfig& plot : plots) plot = planner.planned(std::move(plot));
  return plots;
}

}  // namespace petal
