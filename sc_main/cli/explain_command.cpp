// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "petal/cli/subcommands.hpp"
#include "petal/config/scenario_loader.hpp"
#include "petal/pe_cpu/dispatch_cost.hpp"
#include "petal/scenario/command_catalog.hpp"
#include "petal/scenario/kernel_launch.hpp"

namespace petal {
namespace {

std::string title_of(const CommandSlice& slice) {
  std::string title = fmt::format("{} {}", kind_name(*slice.command), op_name(*slice.command));
  if (slice.segments > 1) title += fmt::format(", segment {} of {}", slice.segment + 1, slice.segments);
  return title;
}

void print_entry(const CatalogEntry& entry, std::size_t number, const DispatchCostConfig& cost) {
  fmt::print("#{}  {}  (issued {} x)\n", number, title_of(entry.example), entry.count);
  const std::vector<CommandField> fields = fields_of(entry.example);
  std::size_t width = 0;
  for (const CommandField& field : fields) width = std::max(width, field.name.size());
  for (const CommandField& field : fields)
    fmt::print("  {:>4} B  {:<{}}  {}\n", field.bytes.count(), field.name, width, field.value);
  const Bytes bytes = entry.example.logical_bytes;
  fmt::print("  {:>4} B  dispatch = {} + {} x {} = {} cycles\n\n", bytes.count(), cost.fixed_per_cmd_cycles,
             bytes.count(), cost.byte_cycles_recip, dispatch_cycles(cost, bytes).count());
}

nlohmann::ordered_json json_of(const CatalogEntry& entry, const DispatchCostConfig& cost) {
  nlohmann::ordered_json json;
  json["kind"] = kind_name(*entry.example.command);
  json["op"] = op_name(*entry.example.command);
  json["segment"] = entry.example.segment + 1;
  json["segments"] = entry.example.segments;
  json["count"] = entry.count;
  json["logical_bytes"] = entry.example.logical_bytes.count();
  json["dispatch_cycles"] = dispatch_cycles(cost, entry.example.logical_bytes).count();
  for (const CommandField& field : fields_of(entry.example))
    json["fields"].push_back({{"name", field.name}, {"value", field.value}, {"bytes", field.bytes.count()}});
  return json;
}

/// What PE 0 issues over all launches of the scenario.
CommandCatalog catalog_of(const ScenarioConfig& config, const CommandOptions& options) {
  CommandCatalog catalog;
  const NextCompletions next = first_completions(config.platform.pes.size());
  for (const LaunchConfig& launch : config.launches)
    KernelLaunch(kernel_of(launch, options.kernel), launch.workload, config.platform)
        .programs(next)
        .front()(catalog);
  return catalog;
}

}  // namespace

ExitCode explain_commands(const CommandOptions& options) {
  const ScenarioConfig config = load_scenario(options.input, options.sets);
  const CommandCatalog catalog = catalog_of(config, options);
  const DispatchCostConfig& cost = config.platform.pes.front().cost;
  if (options.json) {
    auto json = nlohmann::ordered_json::array();
    for (const CatalogEntry& entry : catalog.entries()) json.push_back(json_of(entry, cost));
    std::cout << json.dump(2) << '\n';
    return ExitCode::done;
  }
  fmt::print(
      "Commands of PE '{}', dispatch = FIXED + bytes x R with FIXED = {} cycles, R = {} cycles/byte\n\n",
      config.platform.pes.front().name, cost.fixed_per_cmd_cycles, cost.byte_cycles_recip);
  std::size_t number = 0;
  for (const CatalogEntry& entry : catalog.entries()) print_entry(entry, ++number, cost);
  return ExitCode::done;
}

}  // namespace petal
