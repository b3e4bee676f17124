// SPDX-License-Identifier: Apache-2.0
#include "petal/sweep/sweep_crossover.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "petal/sweep/crossover.hpp"
#include "petal/sweep/sweep_grid.hpp"
#include "petal/sweep/table_series.hpp"

namespace petal {

namespace {

/// The two numbers that are compared at one value of y, as far as they are known.
struct Compared {
  std::optional<double> first;
  std::optional<double> second;
};

/// Puts what `row` knows of the two into `compared`.
void take(Compared& compared, const PlotConfig& plot, const SweepTable& table, const TableRow& row) {
  if (table.has_column(plot.between[0]) && table.has_column(plot.between[1])) {
    compared = {number_in(table.text(row, plot.between[0])), number_in(table.text(row, plot.between[1]))};
  } else {
    const std::string& kernel = table.text(row, kKernelAxis);
    if (kernel == plot.between[0]) compared.first = number_in(table.text(row, plot.metric));
    if (kernel == plot.between[1]) compared.second = number_in(table.text(row, plot.metric));
  }
}

std::vector<MeasuredPair> pairs_of(const PlotConfig& plot, const SweepTable& table,
                                   const std::vector<const TableRow*>& rows) {
  std::map<double, Compared> compared;
  for (const TableRow* row : rows)
    if (const auto place = number_in(table.text(*row, plot.y.front())))
      take(compared[*place], plot, table, *row);
  std::vector<MeasuredPair> pairs;
  for (const auto& [place, both] : compared)
    if (both.first && both.second) pairs.push_back({place, *both.first, *both.second});
  return pairs;
}

}  // namespace

std::vector<CrossoverPoint> crossover_points(const PlotConfig& plot, const SweepTable& table) {
  std::vector<std::string> columns = plot.series;
  columns.push_back(plot.x);
  std::vector<CrossoverPoint> points;
  for (const TableSeries& rows : series_in(table, columns)) {
    const std::vector<MeasuredPair> pairs = pairs_of(plot, table, rows.rows);
    const std::vector<std::string> series(rows.values.begin(), rows.values.end() - 1);
    for (const std::string& at : plot.at)
      for (const double y : crossings(pairs, number_in(at).value_or(1)))
        points.push_back({series, at, rows.values.back(), y});
  }
  return points;
}

std::string crossover_csv(const PlotConfig& plot, const std::vector<CrossoverPoint>& points) {
  std::string text;
  for (const std::string& column : plot.series) text += column + ",";
  text += fmt::format("ratio,{},{}\n", plot.x, plot.y.front());
  for (const CrossoverPoint& point : points) {
    for (const std::string& value : point.series) text += value + ",";
    text += fmt::format("{},{},{:.9g}\n", point.at, point.x, point.y);
  }
  return text;
}

}  // namespace petal
