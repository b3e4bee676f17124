// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <fstream>
#include <iostream>

#include "petal/check/check_report.hpp"
#include "petal/cli/subcommands.hpp"
#include "petal/command/error.hpp"
#include "petal/config/effective_config.hpp"
#include "petal/config/scenario_loader.hpp"
#include "petal/config/schema.hpp"

namespace petal {

ExitCode check_log(const CommandOptions& options) {
  std::ifstream log(options.input);
  if (!log)
    throw ConfigError(fmt::format("'{}' cannot be read; give a file that --op-log wrote", options.input));
  const CheckReport report = check_op_log(log);
  if (!options.quiet) std::cout << report_text(report);
  return report.ok() ? ExitCode::done : ExitCode::violations;
}

ExitCode show_config(const CommandOptions& options) {
  if (options.input.empty()) {
    if (!options.sets.empty())
      throw ConfigError(
          "--set: there is no scenario to override; name one, as in petal config SCENARIO.yaml --set ...");
    std::cout << schema_text();
    return ExitCode::done;
  }
  const ScenarioConfig config = load_scenario(options.input, options.sets);
  std::cout << (options.json ? effective_json(config) + "\n" : effective_yaml(config));
  return ExitCode::done;
}

}  // namespace petal
