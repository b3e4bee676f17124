// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "petal/cli/output_file.hpp"
#include "petal/cli/progress_bar.hpp"
#include "petal/cli/subcommands.hpp"
#include "petal/cli/tensor_files.hpp"
#include "petal/cli/time_option.hpp"
#include "petal/command/command_stream_reader.hpp"
#include "petal/command/error.hpp"
#include "petal/config/scenario_loader.hpp"
#include "petal/host/kernels/kernel_catalog.hpp"
#include "petal/observe/comparison.hpp"
#include "petal/observe/summary_json.hpp"
#include "petal/observe/summary_text.hpp"
#include "petal/scenario/scenario_run.hpp"

namespace petal {
namespace {

/// A run and where what it writes goes.
struct PlannedRun {
  std::unique_ptr<ScenarioRun> run;
  std::optional<std::string> op_log;
  TensorFiles results;
};

/// What the options say of data mode.
void add_data_options(const CommandOptions& options, ScenarioOptions& scenario) {
  if (!options.data && !(options.inputs.empty() && options.results.empty()))
    throw ConfigError("--in and --out move tensors, which only data mode has; give --data too");
  scenario.data = options.data;
  scenario.inputs = tensor_files("--in", options.inputs);
}

std::string with_kernel_in_name(const std::string& path, const std::string& kernel) {
  const std::filesystem::path original(path);
  std::filesystem::path named = original;
  named.replace_extension(kernel + original.extension().string());
  return named.string();
}

/// The outputs that are written while the run goes on; of a comparison those of `kernel`.
void add_waveform_options(const CommandOptions& options, const std::string& kernel,
                          ScenarioOptions& scenario) {
  if (options.trace)
    scenario.trace = kernel.empty() ? *options.trace : with_kernel_in_name(*options.trace, kernel);
  if (!options.vcd) {
    if (options.vcd_from || options.vcd_to || !options.vcd_pes.empty())
      throw ConfigError(
          "--vcd-from, --vcd-to and --vcd-pes choose a part of a waveform; give --vcd FILE too");
    return;
  }
  VcdRequest request;
  request.path = kernel.empty() ? *options.vcd : with_kernel_in_name(*options.vcd, kernel);
  if (options.vcd_from) request.from = time_option("--vcd-from", *options.vcd_from);
  if (options.vcd_to) request.to = time_option("--vcd-to", *options.vcd_to);
  if (request.to < request.from)
    throw ConfigError(fmt::format("--vcd-to: {} is before --vcd-from {}; give a later time", *options.vcd_to,
                                  options.vcd_from.value_or("0")));
  request.pes = options.vcd_pes;
  scenario.vcd = request;
}

void require_outputs_writable(const CommandOptions& options, const std::vector<PlannedRun>& runs) {
  for (const PlannedRun& planned : runs) {
    if (planned.op_log) require_writable(*planned.op_log);
    for (const auto& [tensor, path] : planned.results) {
      planned.run->require_result(tensor);
      require_writable(path);
    }
  }
  for (const auto& path : {options.summary, options.record})
    if (path) require_writable(*path);
}

/// Simulates all runs. Op_logs are written even if that fails: the log of a failing run is the one that is
/// needed.
void simulate_and_log(const CommandOptions& options, const std::vector<PlannedRun>& runs) {
  require_outputs_writable(options, runs);
  std::uint64_t macs = 0;
  for (const PlannedRun& planned : runs) macs += planned.run->macs();
  std::exception_ptr failure;
  {
    ProgressBar progress(macs);
    if (!options.quiet && standard_error_is_terminal())
      for (const PlannedRun& planned : runs) planned.run->platform().attach(progress);
    try {
      simulate();
    } catch (const Error&) {
      failure = std::current_exception();
    }
  }
  for (const PlannedRun& planned : runs) planned.run->close_outputs();
  for (const PlannedRun& planned : runs)
    if (planned.op_log)
      write_file(*planned.op_log, [&](std::ostream& out) { planned.run->write_op_log(out); });
  if (failure) std::rethrow_exception(failure);
}

void write_results(const PlannedRun& planned) {
  for (const auto& [tensor, path] : planned.results) planned.run->write_result(tensor, path);
}

/// Throws SimulationError if a result is too far from its reference.
void require_within_tolerance(const Summary& summary) {
  for (const TensorError& error : summary.data)
    if (!error.within_tolerance())
      throw SimulationError(fmt::format(
          "{}: result {} is off by {:.3g} at element {}, {:.3g} of its largest value, where {:.3g} is "
          "tolerated; the op_log shows the order in which it was computed",
          summary.kernel, error.tensor, error.max_absolute, error.worst_element, error.max_relative,
          error.tolerance));
}

ExitCode print_summary(const CommandOptions& options, const Summary& summary) {
  if (options.summary)
    write_file(*options.summary, [&](std::ostream& out) { out << summary_json_text(summary); });
  if (!options.quiet) std::cout << (options.json ? summary_json_text(summary) : summary_text(summary));
  require_within_tolerance(summary);
  return ExitCode::done;
}

/// The scenario and kernel that a recording was made with.
struct RecordedOrigin {
  std::string scenario;
  std::string kernel;
};

RecordedOrigin origin_of(const CommandStream& stream, const std::string& path) {
  try {
    const auto header = nlohmann::ordered_json::parse(stream.header_json);
    return {header.at("scenario").dump(), header.at("kernel").get<std::string>()};
  } catch (const nlohmann::json::exception&) {
    throw DecodeError(
        fmt::format("{}:1: config: a recording's header holds `scenario` and `kernel`; record it again "
                    "with petal run --record",
                    path));
  }
}

}  // namespace

ExitCode run_scenario(const CommandOptions& options) {
  const ScenarioConfig config = load_scenario(options.input, options.sets);
  ScenarioOptions scenario;
  scenario.kernel = options.kernel;
  scenario.op_log = options.op_log.has_value();
  scenario.record = options.record.has_value();
  add_waveform_options(options, "", scenario);
  add_data_options(options, scenario);
  std::vector<PlannedRun> runs;
  runs.push_back({std::make_unique<ScenarioRun>("platform", config, scenario), options.op_log,
                  tensor_files("--out", options.results)});
  simulate_and_log(options, runs);
  const Summary summary = runs.front().run->summary();
  write_results(runs.front());
  if (options.record)
    write_file(*options.record, [&](std::ostream& out) { runs.front().run->write_recording(out); });
  return print_summary(options, summary);
}

ExitCode compare_kernels(const CommandOptions& options) {
  const ScenarioConfig config = load_scenario(options.input, options.sets);
  const std::vector<std::string>& kernels = options.kernels.empty() ? config.compare : options.kernels;
  std::vector<PlannedRun> runs;
  for (const std::string& name : kernels) {
    const std::string kernel(find_kernel(name).name);
    ScenarioOptions scenario;
    scenario.kernel = kernel;
    scenario.op_log = options.op_log.has_value();
    add_waveform_options(options, kernel, scenario);
    add_data_options(options, scenario);
    std::optional<std::string> op_log;
    if (options.op_log) op_log = with_kernel_in_name(*options.op_log, kernel);
    TensorFiles results = tensor_files("--out", options.results);
    for (auto& [tensor, path] : results) path = with_kernel_in_name(path, kernel);
    const std::string module = fmt::format("{}_{}", kernel, runs.size());
    runs.push_back({std::make_unique<ScenarioRun>(module, config, scenario), op_log, std::move(results)});
  }
  simulate_and_log(options, runs);
  std::vector<Summary> summaries;
  for (const PlannedRun& planned : runs) {
    summaries.push_back(planned.run->summary());
    write_results(planned);
  }
  const std::string json = comparison_json(summaries).dump(2) + "\n";
  if (options.summary) write_file(*options.summary, [&](std::ostream& out) { out << json; });
  if (!options.quiet) std::cout << (options.json ? json : comparison_text(summaries));
  for (const Summary& summary : summaries) require_within_tolerance(summary);
  return ExitCode::done;
}

ExitCode replay_recording(const CommandOptions& options) {
  std::ifstream in(options.input);
  if (!in)
    throw ConfigError(
        fmt::format("'{}' cannot be read; give a file that petal run --record wrote", options.input));
  CommandStream stream = load_command_stream(in, options.input);
  const RecordedOrigin origin = origin_of(stream, options.input);
  const ScenarioConfig config = scenario_from_text(origin.scenario, options.sets, options.input);
  ScenarioOptions scenario;
  scenario.op_log = options.op_log.has_value();
  add_waveform_options(options, "", scenario);
  add_data_options(options, scenario);
  std::vector<PlannedRun> runs;
  runs.push_back(
      {std::make_unique<ScenarioRun>("platform", config, std::move(stream), origin.kernel, scenario),
       options.op_log, tensor_files("--out", options.results)});
  simulate_and_log(options, runs);
  const Summary summary = runs.front().run->summary();
  write_results(runs.front());
  return print_summary(options, summary);
}

}  // namespace petal
