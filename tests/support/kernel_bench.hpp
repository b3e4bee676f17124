// SPDX-License-Identifier: Apache-2.0
//
// KernelBench: a kernel written in the test itself, on a platform of its own, with readers attached. Build
// any number of them, call simulate(), then ask.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "petal/config/platform_config.hpp"
#include "petal/host/tl_context.hpp"
#include "petal/observe/op_log.hpp"
#include "petal/observe/summary.hpp"
#include "petal/observe/summary_collector.hpp"
#include "petal/platform/platform.hpp"
#include "petal/scenario/kernel_launch.hpp"
#include "petal/scenario/scenario_run.hpp"
#include "support/event_log.hpp"

namespace petal::test {

using Kernel = std::function<void(TlContext&)>;

/// `kernel` as a program for each PE of `config`. `next` holds the ids of the PEs' next commands and outlives
/// the simulation with the programs.
std::vector<PeProgram> programs_of(const Kernel& kernel, const PlatformConfig& config,
                                   const NextCompletions& next);

class KernelBench {
 public:
  explicit KernelBench(const PlatformConfig& config = {}, const PlatformOptions& options = {});
  KernelBench(const KernelBench&) = delete;
  KernelBench& operator=(const KernelBench&) = delete;

  /// Queues a launch of `kernel` on every PE; it finds out where it runs by tl.program_id().
  void launch(const Kernel& kernel);
  /// Queues a launch of what writes to PE 0's command sink itself, past the host compiler.
  void launch_program(const PeProgram& program) { platform_.add_launch({program}); }

  Platform& platform() { return platform_; }
  const EventLog& log() const { return log_; }
  /// Throws what the kernel threw, or what the platform has outstanding.
  Summary summary() const;
  std::string op_log() const;
  std::int64_t end_ps() const { return platform_.end_time().count(); }

 private:
  PlatformConfig config_;
  Platform platform_;
  EventLog log_;
  OpLog op_log_;
  SummaryCollector collector_;
  NextCompletions next_;
};

/// One PE at 1 GHz whose CPU pays nothing for a command: everything is issued at time 0.
PlatformConfig with_free_dispatch();

/// The composite of one GEMM op, 54 bytes, on [m, k] and [k, n] f16 in TCM; each call has tensors of its own.
TensorHandle gemm_in_tcm(TlContext& tl, std::uint64_t m, std::uint64_t k, std::uint64_t n);

/// `petal check` finds nothing wrong with `op_log`.
void require_no_violations(const std::string& op_log);

}  // namespace petal::test
