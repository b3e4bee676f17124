// SPDX-License-Identifier: Apache-2.0
//
// KernelLaunch: one kernel on one workload, for all PEs of a platform: what ties the host compiler to PE_CPU.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "petal/config/scenario_config.hpp"
#include "petal/host/kernels/kernel_catalog.hpp"
#include "petal/observe/summary.hpp"
#include "petal/pe_cpu/program_step.hpp"
#include "petal/scenario/kernel_work.hpp"
#include "petal/scenario/tensor_data.hpp"

namespace petal {

/// The ids of each PE's next command; a launch goes on where the one before it ended.
using NextCompletions = std::shared_ptr<std::vector<CompletionId>>;
NextCompletions first_completions(std::size_t pes);

/// What the host compiler is told about program `pe` of `programs` on a PE of this configuration.
TlOptions tl_options_for(const PeConfig& config, std::size_t pe, std::size_t programs);

/// The kernel of `launch`, or the one called `given` in its place. Throws ConfigError if neither names one,
/// or there is none of that name.
const KernelEntry& kernel_of(const LaunchConfig& launch, const std::optional<std::string>& given);

class KernelLaunch {
 public:
  /// `inputs` are the files of data mode; the kernel attention takes its tensors' shapes from them. Throws
  /// ConfigError if a PE lacks an engine the kernel needs, the tensors do not fit in HBM, PEs that hand data
  /// to others have an HBM each, or the inputs do not go together; NpyError for a file that cannot be read.
  KernelLaunch(const KernelEntry& kernel, const WorkloadConfig& workload, const PlatformConfig& platform,
               const TensorFiles& inputs = {});

  const KernelEntry& kernel() const { return *kernel_; }
  /// One program for each PE.
  std::vector<PeProgram> programs(const NextCompletions& next) const;
  /// KV tiles over all PEs; 0 for a kernel without them.
  std::uint64_t tiles() const { return work_->tiles(); }
  /// MACs over all PEs: the measure of progress.
  std::uint64_t macs() const { return work_->macs(); }
  /// The kernel's tensors in HBM, in the order of their addresses.
  std::vector<ScenarioTensor> tensors() const { return work_->tensors(); }
  /// Those of `files` that are tensors in HBM.
  TensorFiles tensor_files(TensorFiles files) const { return work_->tensor_files(std::move(files)); }
  /// How far the tensors that this launch wrote, as `platform` holds them, are from a reference. It is worked
  /// out from the tensors that the launch read; where an earlier launch wrote those, as that left them.
  std::vector<TensorError> check(const Platform& platform, const TensorData& data) const;
  /// What a tile in the middle of a long decode costs PE 0 to issue; nothing for other kernels, whose tiles
  /// differ or that have none.
  std::optional<PerTile> steady_state() const;

 private:
  /// Issues `work` as program `pe` from completion `first` on; returns the next one's.
  CompletionId issue(const KernelWork& work, CommandSink& sink, std::size_t pe, CompletionId first) const;
  void check_engines() const;
  void check_hbm() const;

  const KernelEntry* kernel_;
  PlatformConfig platform_;
  std::shared_ptr<const KernelWork> work_;
};

}  // namespace petal
