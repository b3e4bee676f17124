// SPDX-License-Identifier: Apache-2.0
#include "petal/config/sweep_source.hpp"

#include <fmt/format.h>

#include "petal/config/key_names.hpp"
#include "petal/config/schema.hpp"
#include "petal/config/section_walk.hpp"
#include "petal/config/sweep_schema.hpp"

namespace petal {

namespace {

/// An entry of a list of maps with the keys `keys`.
template <typename Owner>
Owner read_entry(const GivenValue& item, const std::vector<ConfigKey<Owner>>& keys,
                 ConfigDiagnostics& diagnostics) {
  const KeyNames names(paths_of(keys));
  ConfigLayer<Owner> layer;
  SectionWalk(item.origin.source, item.path + ".", names, diagnostics)
      .walk(*item.node, [&](const std::string& relative, const GivenValue& value) {
        assign(layer, keys, relative, value, diagnostics);
      });
  Owner owner;
  put_values(owner, layer);
  return owner;
}

/// Reports a name that an earlier entry of the list has; an entry without one gets none here.
template <typename Owner>
void add_named(std::vector<Owner>& list, Owner entry, const GivenValue& item,
               ConfigDiagnostics& diagnostics) {
  for (const Owner& before : list)
    if (before.name == entry.name)
      diagnostics.add(item.origin, item.path + ".name", fmt::format("'{}'", entry.name),
                      "must be unique in the list");
  list.push_back(std::move(entry));
}

void read_cases(SweepConfig& sweep, const GivenValue& given, ConfigDiagnostics& diagnostics) {
  for_each_entry(given, diagnostics, [&](const GivenValue& item) {
    SweepCase entry = read_entry(item, sweep_case_keys(), diagnostics);
    if (entry.name.empty())
      diagnostics.add(item.origin, item.path + ".name", "", "a case needs a name; give one");
    else
      add_named(sweep.cases, std::move(entry), item, diagnostics);
  });
}

bool is_file_stem(const std::string& name) {
  return name.find('/') == std::string::npos && name.front() != '.';
}

void read_plots(SweepConfig& sweep, const GivenValue& given, ConfigDiagnostics& diagnostics) {
  for_each_entry(given, diagnostics, [&](const GivenValue& item) {
    PlotConfig plot = read_entry(item, sweep_plot_keys(), diagnostics);
    if (plot.name.empty()) plot.name = fmt::format("plot{}", sweep.plots.size());
    if (!is_file_stem(plot.name))
      diagnostics.add(item.origin, item.path + ".name", fmt::format("'{}'", plot.name),
                      "must be the name of a file: without '/' and no '.' in front");
    add_named(sweep.plots, std::move(plot), item, diagnostics);
  });
}

}  // namespace

void read_sweep_key(SweepConfig& sweep, const std::string& relative, const GivenValue& given,
                    ConfigDiagnostics& diagnostics) {
  if (relative == kSweepCasesKey) return read_cases(sweep, given, diagnostics);
  if (relative == kSweepPlotsKey) return read_plots(sweep, given, diagnostics);
  ConfigLayer<SweepConfig> layer;
  assign(layer, sweep_keys(), relative, given, diagnostics);
  put_values(sweep, layer);
}

}  // namespace petal
