// SPDX-License-Identifier: Apache-2.0
#include "petal/config/sweep_schema.hpp"

namespace petal {

namespace {

constexpr double kLargestNumber = 1e30;

/// A key of a sweep, a case or a plot.
template <typename Owner, typename FieldOf>
ConfigKey<Owner> key(const char* name, ValueType type, const char* doc, FieldOf field_of,
                     const char* default_note = "none") {
  return key_for<Owner>(name, "", std::move(type), doc, field_of, default_note);
}

std::vector<ConfigKey<PlotConfig>> make_plot_keys() {
  using Plot = PlotConfig;
  return {
      key<Plot>(
          "name", text_type(), "of its files, without extension",
          [](auto& plot) -> auto& { return plot.name; }, "plot0, plot1, ..."),
      key<Plot>(
          "title", text_type(), "above the picture", [](auto& plot) -> auto& { return plot.title; }),
      key<Plot>(
          "style", word_type(word_list<PlotStyle>()),
          "y over x; y side by side for each x; or where two curves meet, for each x",
          [](auto& plot) -> auto& { return plot.style; }, "lines"),
      key<Plot>(
          "x", text_type(), "a swept key or another column of the table",
          [](auto& plot) -> auto& { return plot.x; }, "the longest axis"),
      key<Plot>(
          "y", text_list_type(), "columns of the table; of a crossover one swept key",
          [](auto& plot) -> auto& { return plot.y; }, "[time_ps]"),
      key<Plot>(
          "series", text_list_type(), "swept keys each value of which has a curve of its own",
          [](auto& plot) -> auto& { return plot.series; }, "all others that vary"),
      key<Plot>(
          "log", word_list_type({"x", "y"}), "axes with a logarithmic scale",
          [](auto& plot) -> auto& { return plot.log; }, "[]"),
      key<Plot>(
          "between", text_list_type(), "of a crossover: two kernels, or two columns of the table",
          [](auto& plot) -> auto& { return plot.between; }),
      key<Plot>(
          "metric", text_type(), "of a crossover between kernels: the column that is compared",
          [](auto& plot) -> auto& { return plot.metric; }, "dispatch_cycles_per_tile"),
      key<Plot>(
          "at", number_list_type(0.0, kLargestNumber),
          "of a crossover: ratios of the first to the second of `between`",
          [](auto& plot) -> auto& { return plot.at; }, "[1]"),
      key<Plot>(
          "slopes", number_list_type(-kLargestNumber, kLargestNumber),
          "of straight lines through the origin, drawn beside the curves",
          [](auto& plot) -> auto& { return plot.slopes; }),
  };
}

}  // namespace

const std::vector<ConfigKey<SweepConfig>>& sweep_keys() {
  using Sweep = SweepConfig;
  static const std::vector<ConfigKey<Sweep>> keys = {
      key<Sweep>(
          "set", text_list_type(),
          "axes of the grid, each written as for --set: key=v1,v2,.. or key=from:to:step",
          [](auto& sweep) -> auto& { return sweep.sets; }),
      key<Sweep>(
          "kernels", text_list_type(), "kernels that run at each point",
          [](auto& sweep) -> auto& { return sweep.kernels; }, "the scenario's"),
      key<Sweep>(
          "columns", text_list_type(), "keys whose values stand in the table too",
          [](auto& sweep) -> auto& { return sweep.columns; }),
  };
  return keys;
}

const std::vector<ConfigKey<SweepCase>>& sweep_case_keys() {
  using Case = SweepCase;
  static const std::vector<ConfigKey<Case>> keys = {
      key<Case>(
          "name", text_type(), "what stands in the column `case`",
          [](auto& entry) -> auto& { return entry.name; }, "to be given"),
      key<Case>(
          "set", text_list_type(), "keys of this case, each written as for --set: key=value",
          [](auto& entry) -> auto& { return entry.sets; }),
  };
  return keys;
}

const std::vector<ConfigKey<PlotConfig>>& sweep_plot_keys() {
  static const std::vector<ConfigKey<PlotConfig>> keys = make_plot_keys();
  return keys;
}

std::vector<std::string> sweep_paths() {
  const std::string prefix = kSweepPrefix;
  std::vector<std::string> paths{prefix + kSweepCasesKey, prefix + kSweepPlotsKey};
  for (const ConfigKey<SweepConfig>& key : sweep_keys()) paths.push_back(prefix + key.path);
  return paths;
}

}  // namespace petal
