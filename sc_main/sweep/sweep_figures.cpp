// SPDX-License-Identifier: Apache-2.0
#include "petal/sweep/sweep_figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "petal/sweep/sweep_crossover.hpp"
#include "petal/sweep/sweep_grid.hpp"
#include "petal/sweep/table_series.hpp"

namespace petal {

namespace {

using Texts = std::vector<std::string>;

bool contains(const Texts& texts, const std::string& text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

/// "gqa_decode_opt2, tile 64": kernels and cases speak for themselves.
std::string series_title(const Texts& columns, const Texts& values) {
  Texts parts;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const bool names_itself = columns[i] == kKernelAxis || columns[i] == kCaseAxis;
    parts.push_back(names_itself ? values[i] : fmt::format("{} {}", columns[i], values[i]));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string label_of(const SweepTable& table, const std::string& column) {
  const std::string unit = table.unit_of(column);
  return unit.empty() ? column : fmt::format("{} ({})", column, unit);
}

/// What stands on the x axis: numbers, or names in the order of the table. A row without an x has no place.
class XAxis {
 public:
  XAxis(const SweepTable& table, const std::string& column, bool as_names) : table_(table), column_(column) {
    bool all_numbers = true;
    for (const TableRow& row : table.rows()) {
      const std::string& text = table.text(row, column);
      if (text.empty()) continue;
      all_numbers = all_numbers && number_in(text).has_value();
      if (!contains(names_, text)) names_.push_back(text);
    }
    if (all_numbers && !as_names) names_.clear();
  }

  const Texts& names() const { return names_; }
  std::optional<double> place_of(const TableRow& row) const {
    const std::string& text = table_.text(row, column_);
    if (names_.empty()) return number_in(text);
    const auto name = std::find(names_.begin(), names_.end(), text);
    return name == names_.end() ? std::nullopt
                                : std::optional<double>(static_cast<double>(name - names_.begin()));
  }

 private:
  const SweepTable& table_;
  std::string column_;
  Texts names_;
};

Curve curve_of(const SweepTable& table, const TableSeries& series, const XAxis& axis,
               const std::string& column) {
  Curve curve;
  for (const TableRow* row : series.rows) {
    const auto x = axis.place_of(*row);
    const auto y = number_in(table.text(*row, column));
    if (x && y) curve.points.emplace_back(*x, *y);
  }
  std::stable_sort(curve.points.begin(), curve.points.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  return curve;
}

void add_curves(Figure& figure, const PlotConfig& plot, const SweepTable& table) {
  const XAxis axis(table, plot.x, plot.style == PlotStyle::bars);
  figure.categories = axis.names();
  for (const TableSeries& series : series_in(table, plot.series))
    for (const std::string& column : plot.y) {
      Curve curve = curve_of(table, series, axis, column);
      curve.title = series_title(plot.series, series.values);
      if (plot.y.size() > 1) curve.title += (curve.title.empty() ? "" : ": ") + column;
      figure.curves.push_back(std::move(curve));
    }
}

std::string crossover_title(const PlotConfig& plot, const CrossoverPoint& point) {
  const std::string what = point.at == "1"
                               ? fmt::format("{} = {}", plot.between[0], plot.between[1])
                               : fmt::format("{} = {} x {}", plot.between[0], point.at, plot.between[1]);
  const std::string series = series_title(plot.series, point.series);
  return series.empty() ? what : fmt::format("{}: {}", series, what);
}

void add_crossover_curves(Figure& figure, const PlotConfig& plot, const SweepTable& table) {
  for (const CrossoverPoint& point : crossover_points(plot, table)) {
    const std::string title = crossover_title(plot, point);
    auto curve = std::find_if(figure.curves.begin(), figure.curves.end(),
                              [&](const Curve& known) { return known.title == title; });
    if (curve == figure.curves.end())
      curve = figure.curves.insert(curve, Curve{title, CurveStyle::marked_line, {}});
    if (const auto x = number_in(point.x)) curve->points.emplace_back(*x, point.y);
  }
  for (Curve& curve : figure.curves) std::sort(curve.points.begin(), curve.points.end());
}

void add_slopes(Figure& figure, const PlotConfig& plot) {
  std::set<double> places;
  for (const Curve& curve : figure.curves)
    for (const auto& point : curve.points) places.insert(point.first);
  for (const std::string& slope : plot.slopes) {
    Curve line{fmt::format("y = {} x", slope), CurveStyle::line, {}};
    for (const double x : places) line.points.emplace_back(x, number_in(slope).value_or(0) * x);
    figure.curves.push_back(std::move(line));
  }
}

}  // namespace

Figure figure_of(const PlotConfig& plot, const SweepTable& table) {
  Figure figure;
  figure.title = plot.title;
  figure.x_label = label_of(table, plot.x);
  figure.y_label = plot.y.size() == 1 ? label_of(table, plot.y.front()) : "";
  figure.log_x = contains(plot.log, "x");
  figure.log_y = contains(plot.log, "y");
  figure.bars = plot.style == PlotStyle::bars;
  if (plot.style == PlotStyle::crossover)
    add_crossover_curves(figure, plot, table);
  else
    add_curves(figure, plot, table);
  add_slopes(figure, plot);
  return figure;
}

}  // namespace petal
