// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "petal/cli/output_file.hpp"
#include "petal/cli/progress_bar.hpp"
#include "petal/cli/subcommands.hpp"
#include "petal/config/scenario_loader.hpp"
#include "petal/host/kernels/kernel_catalog.hpp"
#include "petal/observe/quantity_text.hpp"
#include "petal/report/report_json.hpp"
#include "petal/report/report_page.hpp"
#include "petal/scenario/report_facts.hpp"
#include "petal/scenario/scenario_run.hpp"

namespace petal {
namespace {

/// One run of the page, and its reader.
struct RecordedRun {
  std::unique_ptr<ScenarioRun> run;
  std::unique_ptr<ReportRecorder> recorder;
};

/// The kernels to set side by side; one that is absent is the scenario's own.
std::vector<std::optional<std::string>> kernels_of(const CommandOptions& options,
                                                   const ScenarioConfig& config) {
  if (!options.compare && options.kernels.empty()) return {options.kernel};
  std::vector<std::optional<std::string>> kernels;
  for (const std::string& name : options.kernels.empty() ? config.compare : options.kernels)
    kernels.emplace_back(std::string(find_kernel(name).name));
  return kernels;
}

std::vector<RecordedRun> planned_runs(const CommandOptions& options, const ScenarioConfig& config) {
  const std::vector<std::optional<std::string>> kernels = kernels_of(options, config);
  const ReportFacts facts =
      report_facts(std::filesystem::path(options.input).filename().string(), config.platform);
  const TimelineLimits limits = TimelineLimits::shared_by(kernels.size() * facts.pes.size());
  std::vector<RecordedRun> runs;
  for (const std::optional<std::string>& kernel : kernels) {
    ScenarioOptions scenario;
    scenario.kernel = kernel;
    RecordedRun& planned = runs.emplace_back();
    planned.run = std::make_unique<ScenarioRun>(fmt::format("run_{}", runs.size()), config, scenario);
    planned.recorder = std::make_unique<ReportRecorder>(facts, limits);
    planned.run->platform().attach(*planned.recorder);
  }
  return runs;
}

void simulate_all(const CommandOptions& options, const std::vector<RecordedRun>& runs) {
  std::uint64_t macs = 0;
  for (const RecordedRun& planned : runs) macs += planned.run->macs();
  ProgressBar progress(macs);
  if (!options.quiet && standard_error_is_terminal())
    for (const RecordedRun& planned : runs) planned.run->platform().attach(progress);
  simulate();
}

}  // namespace

ExitCode report_scenario(const CommandOptions& options) {
  const ScenarioConfig config = load_scenario(options.input, options.sets);
  const std::vector<RecordedRun> runs = planned_runs(options, config);
  require_writable(options.report);
  simulate_all(options, runs);
  std::vector<Summary> summaries;
  for (const RecordedRun& planned : runs) summaries.push_back(planned.run->summary());
  std::vector<ReportedRun> reported;
  for (std::size_t index = 0; index < runs.size(); ++index)
    reported.push_back({summaries[index], *runs[index].recorder});
  const std::string page = report_page(report_json(reported));
  write_file(options.report, [&](std::ostream& out) { out << page; });
  if (!options.quiet)
    std::cout << fmt::format("{}: {} bytes; open it in a browser\n", options.report,
                             grouped(std::uint64_t{page.size()}));
  return ExitCode::done;
}

}  // namespace petal
