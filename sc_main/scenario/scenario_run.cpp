// SPDX-License-Identifier: Apache-2.0
#include "petal/scenario/scenario_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <string_view>

#include "petal/command/command_stream_writer.hpp"
#include "petal/command/error.hpp"
#include "petal/config/effective_config.hpp"
#include "petal/npy/npy_file.hpp"
#include "petal/scenario/kernel_launch.hpp"
#include "petal/scenario/memory_facts.hpp"

namespace petal {
namespace {

std::vector<std::string> names_of(const PlatformConfig& platform) {
  std::vector<std::string> names;
  for (const PeConfig& pe : platform.pes) names.push_back(pe.name);
  return names;
}

/// A kernel that cannot be issued has no steady state; the run itself will say why, after logging what came
/// before.
std::optional<PerTile> steady_state_of(const KernelLaunch& launch) {
  try {
    return launch.steady_state();
  } catch (const EmitError&) {
    return std::nullopt;
  }
}

std::vector<KernelLaunch> launches_of(const ScenarioConfig& config, const std::optional<std::string>& kernel,
                                      const ScenarioOptions& options) {
  std::vector<KernelLaunch> launches;
  for (const LaunchConfig& launch : config.launches)
    launches.emplace_back(kernel_of(launch, kernel), launch.workload, config.platform, options.inputs);
  return launches;
}

constexpr std::string_view kBetweenKernels = ", ";

/// The launches that a recording was made of; `kernels` are their names, as kernel_name() joins them.
std::vector<KernelLaunch> recorded_launches(const ScenarioConfig& config, const std::string& kernels,
                                            const ScenarioOptions& options) {
  std::vector<KernelLaunch> launches;
  std::size_t begin = 0;
  for (const LaunchConfig& launch : config.launches) {
    const std::size_t end = std::min(kernels.find(kBetweenKernels, begin), kernels.size());
    launches.emplace_back(kernel_of(launch, kernels.substr(begin, end - begin)), launch.workload,
                          config.platform, options.inputs);
    begin = std::min(end + kBetweenKernels.size(), kernels.size());
  }
  return launches;
}

bool same_tensors(const std::vector<ScenarioTensor>& a, const std::vector<ScenarioTensor>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const ScenarioTensor& left, const ScenarioTensor& right) {
                      return left.name == right.name && left.shape == right.shape &&
                             left.dtype == right.dtype && left.address == right.address;
                    });
}

std::unique_ptr<TensorData> data_of(const ScenarioConfig& config, const std::vector<KernelLaunch>& launches,
                                    const ScenarioOptions& options) {
  if (!options.data) return nullptr;
  const std::vector<ScenarioTensor> tensors = launches.front().tensors();
  for (const KernelLaunch& launch : launches)
    if (!same_tensors(launch.tensors(), tensors))
      throw ConfigError(
          "launches: --data needs launches that work on the same tensors; run the others as scenarios of "
          "their own");
  return std::make_unique<TensorData>(tensors, config.platform.hbm.capacity, config.seed,
                                      launches.front().tensor_files(options.inputs));
}

WaveformPe waveform_of(const PeConfig& config) {
  WaveformPe pe;
  pe.name = config.name;
  const EngineSet& engines = config.engines;
  pe.has_port = {engines.dma,         engines.dma,  engines.fetch_store,
                 engines.fetch_store, engines.gemm, engines.math};
  return pe;
}

/// By name, else by index.
PeIndex pe_called(const std::string& name, const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<PeIndex>(found - names.begin());
  PeIndex index = 0;
  const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), index);
  if (problem == std::errc() && end == name.data() + name.size() && index < names.size()) return index;
  throw ConfigError(fmt::format("--vcd-pes: there is no PE '{}'; give a name or an index below {}: {}", name,
                                names.size(), fmt::join(names, ", ")));
}

std::unique_ptr<VcdWriter> make_vcd_writer(const VcdRequest& request, const std::string& scope,
                                           const ScenarioConfig& config) {
  std::vector<WaveformPe> pes;
  for (const PeConfig& pe : config.platform.pes) pes.push_back(waveform_of(pe));
  WaveformSelection selection{request.from, request.to, {}};
  for (const std::string& pe : request.pes) selection.pes.push_back(pe_called(pe, names_of(config.platform)));
  return std::make_unique<VcdWriter>(request.path, std::vector<std::string>{scope}, pes,
                                     OutputOrigin{program_version(), effective_json(config)}, selection);
}

PlatformOptions platform_options(const ScenarioOptions& options, const std::unique_ptr<TensorData>& data) {
  PlatformOptions platform = options.platform;
  if (data) platform.hbm_image = data->image();
  if (options.vcd || options.trace) platform.event_order = EventOrder::by_time;
  return platform;
}

}  // namespace

ScenarioRun::ScenarioRun(const std::string& name, const ScenarioConfig& config,
                         const ScenarioOptions& options)
    : config_(config),
      launches_(launches_of(config, options.kernel, options)),
      data_(data_of(config, launches_, options)),
      platform_(name.c_str(), config.platform, platform_options(options, data_)),
      collector_(names_of(config.platform)),
      next_completions_(first_completions(config.platform.pes.size())) {
  attach_readers(options);
  for (const KernelLaunch& launch : launches_) add_launch(launch);
}

ScenarioRun::ScenarioRun(const std::string& name, const ScenarioConfig& config, CommandStream stream,
                         const std::string& kernel, const ScenarioOptions& options)
    : config_(config),
      launches_(options.data ? recorded_launches(config, kernel, options) : std::vector<KernelLaunch>()),
      data_(data_of(config, launches_, options)),
      kernel_name_(kernel),
      platform_(name.c_str(), config.platform, platform_options(options, data_)),
      collector_(names_of(config.platform)),
      next_completions_(first_completions(config.platform.pes.size())) {
  attach_readers(options);
  for (LaunchRecording& launch : stream.launches) {
    if (launch.pes.size() != platform_.size())
      throw ConfigError(
          fmt::format("platform.pes: the recording is of {} PEs and the platform has {}; a recording "
                      "replays on as many PEs as it was made on",
                      launch.pes.size(), platform_.size()));
    std::vector<PeProgram> programs;
    for (PeRecording& pe : launch.pes) {
      auto recording = std::make_shared<const PeRecording>(std::move(pe));
      programs.push_back([recording](CommandSink& sink) { replay(*recording, sink); });
    }
    platform_.add_launch(recorded(std::move(programs)));
  }
}

ScenarioRun::~ScenarioRun() = default;

void ScenarioRun::attach_readers(const ScenarioOptions& options) {
  platform_.attach(collector_);
  if (options.op_log) {
    op_log_ = std::make_unique<OpLog>();
    platform_.attach(*op_log_);
  }
  if (options.vcd) {
    vcd_ = make_vcd_writer(*options.vcd, platform_.basename(), config_);
    platform_.attach(*vcd_);
  }
  if (options.trace) {
    trace_ = std::make_unique<TraceWriter>(*options.trace, names_of(config_.platform),
                                           OutputOrigin{program_version(), effective_json(config_)});
    platform_.attach(*trace_);
  }
  if (options.record) recording_ = std::make_unique<CommandStream>();
}

void ScenarioRun::add_launch(const KernelLaunch& launch) {
  if (!kernel_name_.empty()) kernel_name_ += kBetweenKernels;
  kernel_name_ += launch.kernel().name;
  tiles_ += launch.tiles();
  macs_ += launch.macs();
  if (launches_.size() == 1) steady_state_ = steady_state_of(launch);
  platform_.add_launch(recorded(launch.programs(next_completions_)));
}

std::vector<PeProgram> ScenarioRun::recorded(std::vector<PeProgram> programs) {
  if (!recording_) return programs;
  const std::size_t launch = recording_->launches.size();
  recording_->launches.emplace_back().pes.resize(programs.size());
  for (std::size_t pe = 0; pe < programs.size(); ++pe)
    programs[pe] = [this, launch, pe, program = std::move(programs[pe])](CommandSink& sink) {
      RecordingSink recorder(recording_->launches[launch].pes[pe], &sink);
      program(recorder);
    };
  return programs;
}

Summary ScenarioRun::summary() const {
  platform_.finish();
  RunFacts facts;
  facts.kernel = kernel_name_;
  facts.tiles = tiles_;
  facts.steady_state = steady_state_;
  facts.end = platform_.end_time();
  facts.config_json = effective_json(config_);
  facts.version = program_version();
  facts.memory = memory_facts(config_.platform.hbm);
  for (std::size_t pe = 0; pe < platform_.size(); ++pe)
    facts.staging_bytes.push_back(platform_.pe(pe).staging_bytes().count());
  Summary summary = collector_.summary(facts);
  if (data_) summary.data = check_results();
  return summary;
}

/// A tensor that several launches write holds what the last one of them wrote.
std::vector<TensorError> ScenarioRun::check_results() const {
  std::vector<TensorError> errors;
  for (const KernelLaunch& launch : launches_)
    for (const TensorError& error : launch.check(platform_, *data_)) {
      const auto earlier = std::find_if(errors.begin(), errors.end(), [&](const TensorError& other) {
        return other.tensor == error.tensor;
      });
      if (earlier != errors.end()) errors.erase(earlier);
      errors.push_back(error);
    }
  return errors;
}

void ScenarioRun::require_result(const std::string& tensor) const {
  tensor_named(data_->tensors(), tensor, TensorRole::output);
}

void ScenarioRun::write_result(const std::string& tensor, const std::string& path) const {
  write_npy(path, read_result(platform_, tensor_named(data_->tensors(), tensor, TensorRole::output)));
}

void ScenarioRun::write_op_log(std::ostream& out) const {
  op_log_->write(out, {program_version(), effective_json(config_)});
}

void ScenarioRun::close_outputs() {
  if (vcd_) vcd_->close();
  if (trace_) trace_->close();
}

void ScenarioRun::write_recording(std::ostream& out) const {
  nlohmann::ordered_json header;
  header["version"] = program_version();
  header["kernel"] = kernel_name_;
  header["scenario"] = nlohmann::ordered_json::parse(effective_json(config_));
  recording_->header_json = header.dump();
  save_command_stream(*recording_, out);
}

void simulate() {
  try {
    sc_core::sc_start();
  } catch (const sc_core::sc_report& report) {
    throw SimulationError(report.get_msg());
  }
}

std::string program_version() {
  return PETAL_VERSION;
}

}  // namespace petal
