// SPDX-License-Identifier: Apache-2.0
//
// The keys of the section `sweep`.
#pragma once

#include <string>
#include <vector>

#include "petal/config/config_key.hpp"
#include "petal/config/sweep_config.hpp"

namespace petal {

inline constexpr const char* kSweepPrefix = "sweep.";
inline constexpr const char* kSweepCasesKey = "cases";
inline constexpr const char* kSweepPlotsKey = "plots";

inline const WordTable<PlotStyle>& words_of(PlotStyle /*which*/) {
  static const WordTable<PlotStyle> table = {
      {"lines", PlotStyle::lines}, {"bars", PlotStyle::bars}, {"crossover", PlotStyle::crossover}};
  return table;
}

/// Keys under `sweep` that are no lists of maps.
const std::vector<ConfigKey<SweepConfig>>& sweep_keys();
/// Keys of an entry of `sweep.cases`.
const std::vector<ConfigKey<SweepCase>>& sweep_case_keys();
/// Keys of an entry of `sweep.plots`.
const std::vector<ConfigKey<PlotConfig>>& sweep_plot_keys();
/// The full paths of what may stand under `sweep`.
std::vector<std::string> sweep_paths();

}  // namespace petal
