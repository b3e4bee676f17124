// SPDX-License-Identifier: Apache-2.0
//
// The section `sweep` of a scenario: which points `petal sweep` runs, and what it draws of them. The other
// subcommands do not look at it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace petal {

/// A named set of keys; a sweep's cases are one axis of its grid.
struct SweepCase {
  std::string name;
  std::vector<std::string> sets;  ///< "key.path=value"
};

/// lines: y over x. bars: y for each value of x, side by side. crossover: where two curves meet, for each x.
enum class PlotStyle : std::uint8_t { lines, bars, crossover };

/// One picture. Columns are those of the sweep's table.
struct PlotConfig {
  std::string name;  ///< of its files, without extension
  std::string title;
  PlotStyle style = PlotStyle::lines;
  std::string x;                     ///< a column
  std::vector<std::string> y;        ///< columns; of a crossover one swept key
  std::vector<std::string> series;   ///< swept keys each value of which is a line; none: all that vary
  std::vector<std::string> log;      ///< axes with a logarithmic scale
  std::string metric;                ///< crossover: the column in which two kernels are compared
  std::vector<std::string> between;  ///< crossover: two kernels, or two columns
  std::vector<std::string> at;       ///< crossover: ratios of the first to the second; none: 1
  std::vector<std::string> slopes;   ///< straight lines y = slope * x beside the curves
};

struct SweepConfig {
  std::vector<std::string> sets;  ///< axes: "key.path=v1,v2,.."
  std::vector<std::string> kernels;
  std::vector<SweepCase> cases;
  std::vector<std::string> columns;  ///< keys whose values stand in the table too
  std::vector<PlotConfig> plots;
};

}  // namespace petal
