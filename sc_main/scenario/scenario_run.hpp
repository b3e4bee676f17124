// SPDX-License-Identifier: Apache-2.0
//
// ScenarioRun: a scenario built into a platform, with its readers. Several can be built in one simulation;
// build them, call sc_core::sc_start() through `simulate`, then ask each for its summary.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "petal/command/command_stream.hpp"
#include "petal/config/scenario_config.hpp"
#include "petal/observe/op_log.hpp"
#include "petal/observe/summary.hpp"
#include "petal/observe/summary_collector.hpp"
#include "petal/platform/platform.hpp"
#include "petal/scenario/kernel_launch.hpp"
#include "petal/scenario/tensor_data.hpp"
#include "petal/trace/trace_writer.hpp"
#include "petal/waveform/vcd_writer.hpp"

namespace petal {

/// A waveform that a run is to write.
struct VcdRequest {
  std::string path;
  Picoseconds from{0};
  Picoseconds to = kNever;       ///< inclusive
  std::vector<std::string> pes;  ///< names or indices; empty: all
};

struct ScenarioOptions {
  std::optional<std::string> kernel;  ///< takes the place of the scenario's
  bool record = false;                ///< keep the command stream
  bool op_log = false;                ///< keep an op_log
  std::optional<VcdRequest> vcd;      ///< write a waveform while the run goes on
  std::optional<std::string> trace;   ///< the file of a trace to write while the run goes on
  bool data = false;                  ///< compute results too, and compare them with a reference
  TensorFiles inputs;                 ///< of data mode: files for input tensors
  PlatformOptions platform;
};

class ScenarioRun {
 public:
  /// Throws ConfigError if a launch has no kernel or cannot run on the platform.
  ScenarioRun(const std::string& name, const ScenarioConfig& config, const ScenarioOptions& options);
  /// A recorded command stream in place of the scenario's kernels. Throws ConfigError if it has other PEs
  /// than the scenario.
  ScenarioRun(const std::string& name, const ScenarioConfig& config, CommandStream stream,
              const std::string& kernel, const ScenarioOptions& options);
  ~ScenarioRun();
  ScenarioRun(const ScenarioRun&) = delete;
  ScenarioRun& operator=(const ScenarioRun&) = delete;

  Platform& platform() { return platform_; }
  const ScenarioConfig& config() const { return config_; }
  const std::string& kernel_name() const { return kernel_name_; }
  /// Multiply-accumulates over all launches; 0 if they are not known (a recording).
  std::uint64_t macs() const { return macs_; }

  /// After the simulation. Throws what a kernel threw, or SimulationError if commands are outstanding.
  Summary summary() const;
  /// Writes result `tensor` as .npy. Precondition: options.data. Throws ConfigError for a name that no result
  /// has, NpyError if the file cannot be written.
  void write_result(const std::string& tensor, const std::string& path) const;
  /// Throws as `write_result` for a name; before the run, so that it fails early.
  void require_result(const std::string& tensor) const;
  /// The op_log so far: also valid after a failure. Precondition: options.op_log.
  void write_op_log(std::ostream& out) const;
  /// Ends the files that were written while the run went on; also after a failure. Throws ConfigError if
  /// something could not be written.
  void close_outputs();
  /// Precondition: options.record.
  void write_recording(std::ostream& out) const;

 private:
  void attach_readers(const ScenarioOptions& options);
  void add_launch(const KernelLaunch& launch);
  std::vector<TensorError> check_results() const;
  std::vector<PeProgram> recorded(std::vector<PeProgram> programs);

  ScenarioConfig config_;
  std::vector<KernelLaunch> launches_;  // a recording's stand for what was recorded
  std::unique_ptr<TensorData> data_;    // only in data mode
  std::string kernel_name_;
  Platform platform_;
  SummaryCollector collector_;
  std::unique_ptr<OpLog> op_log_;
  std::unique_ptr<VcdWriter> vcd_;
  std::unique_ptr<TraceWriter> trace_;
  std::unique_ptr<CommandStream> recording_;
  std::shared_ptr<std::vector<CompletionId>> next_completions_;
  std::uint64_t tiles_ = 0;
  std::uint64_t macs_ = 0;
  std::optional<PerTile> steady_state_;
};

/// Runs everything that has been built, until nothing is left to do. An error report of the model becomes a
/// SimulationError.
void simulate();

/// The version that outputs carry.
std::string program_version();

}  // namespace petal
