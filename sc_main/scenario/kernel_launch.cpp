// SPDX-License-Identifier: Apache-2.0
#include "petal/scenario/kernel_launch.hpp"

#include <fmt/format.h>

#include "petal/command/error.hpp"
#include "petal/pe_cpu/dispatch_cost.hpp"
#include "petal/scenario/counting_sink.hpp"
#include "petal/scenario/data_check.hpp"

namespace petal {
namespace {

/// Tiles before the two that are compared: enough to be past every kernel's lead-in.
constexpr std::uint64_t kTilesBefore = 6;

/// An input's values, or those that a launch has left in a tensor that it writes.
std::vector<double> values_now(const Platform& platform, const TensorData& data, const std::string& name) {
  for (const ScenarioTensor& tensor : data.tensors())
    if (tensor.name == name && tensor.role == TensorRole::output)
      return as_doubles(read_result(platform, tensor));
  return data.input(name);
}

}  // namespace

NextCompletions first_completions(std::size_t pes) {
  return std::make_shared<std::vector<CompletionId>>(pes, CompletionId{1});
}

TlOptions tl_options_for(const PeConfig& config, std::size_t pe, std::size_t programs) {
  TlOptions options;
  options.composite_cap = Bytes(config.cost.max_composite_logical_bytes);
  options.arena = config.tcm.arena;
  options.math_head_streaming = config.scheduler.math_head_streaming;
  options.gemm_tile = config.scheduler.gemm_tile;
  options.program_id = pe;
  options.num_programs = programs;
  options.max_outstanding_commands = config.cpu.queue_bytes.count() + config.scheduler.max_in_flight;
  return options;
}

const KernelEntry& kernel_of(const LaunchConfig& launch, const std::optional<std::string>& given) {
  const std::optional<std::string>& name = given ? given : launch.kernel;
  if (!name)
    throw ConfigError(
        "kernel: the scenario names none; write `kernel: NAME` or give --kernel NAME (petal list)");
  return find_kernel(*name);
}

KernelLaunch::KernelLaunch(const KernelEntry& kernel, const WorkloadConfig& workload,
                           const PlatformConfig& platform, const TensorFiles& inputs)
    : kernel_(&kernel),
      platform_(platform),
      work_(kernel_work(kernel, workload, platform.hbm.capacity, inputs)) {
  check_engines();
  if (work_->shares_results()) check_hbm();
}

void KernelLaunch::check_engines() const {
  for (const PeConfig& pe : platform_.pes) {
    const auto need = [&](bool present, const char* engine) {
      if (!present)
        throw ConfigError(
            fmt::format("platform: PE '{}' has no engine '{}', which kernel {} needs; add it to the "
                        "PE's `engines`",
                        pe.name, engine, kernel_->name));
    };
    need(pe.engines.dma, "dma");
    need(pe.engines.fetch_store, "fetch_store");
    need(pe.engines.gemm, "gemm");
    if (work_->needs_math()) need(pe.engines.math, "math");
  }
}

void KernelLaunch::check_hbm() const {
  if (platform_.hbm.scope == HbmScope::shared || platform_.pes.size() == 1) return;
  throw ConfigError(fmt::format(
      "platform.hbm.scope: {} reads what other PEs wrote in an earlier launch, but each of the {} "
      "PEs has an HBM of its own; set platform.hbm.scope=shared",
      kernel_->name, platform_.pes.size()));
}

// The programs share one copy of the launch: a platform of a thousand PEs has a thousand programs.
std::vector<PeProgram> KernelLaunch::programs(const NextCompletions& next) const {
  const auto launch = std::make_shared<const KernelLaunch>(*this);
  std::vector<PeProgram> programs;
  for (std::size_t pe = 0; pe < platform_.pes.size(); ++pe)
    programs.push_back([launch, pe, next](CommandSink& sink) {
      CompletionId& first = (*next)[pe];
      first = launch->issue(*launch->work_, sink, pe, first);
    });
  return programs;
}

CompletionId KernelLaunch::issue(const KernelWork& work, CommandSink& sink, std::size_t pe,
                                 CompletionId first) const {
  TlOptions options = tl_options_for(platform_.pes[pe], pe, platform_.pes.size());
  options.first_completion = first;
  TlContext tl(sink, options);
  work.run(tl);
  return tl.next_completion();
}

std::vector<TensorError> KernelLaunch::check(const Platform& platform, const TensorData& data) const {
  const KernelWork::Results expected =
      work_->reference(data, [&](const std::string& name) { return values_now(platform, data, name); });
  std::vector<TensorError> errors;
  for (const ScenarioTensor& tensor : tensors()) {
    const auto found = expected.find(tensor.name);
    if (found == expected.end()) continue;
    errors.push_back(tensor_error(tensor.name, as_doubles(read_result(platform, tensor)), found->second,
                                  data_tolerance(tensor.dtype, work_->terms())));
  }
  return errors;
}

std::optional<PerTile> KernelLaunch::steady_state() const {
  if (!work_->shortened_to(kTilesBefore)) return std::nullopt;
  const auto count = [this](std::uint64_t tiles) {
    CountingSink sink;
    issue(*work_->shortened_to(tiles), sink, 0, 1);
    return sink;
  };
  const CountingSink before = count(kTilesBefore);
  const CountingSink after = count(kTilesBefore + 1);
  const std::uint64_t commands = after.commands() - before.commands();
  const Bytes bytes = after.bytes() - before.bytes();
  const DispatchCostConfig& cost = platform_.pes.front().cost;
  return PerTile{static_cast<double>(commands), static_cast<double>(bytes.count()),
                 static_cast<double>(commands) * cost.fixed_per_cmd_cycles +
                     static_cast<double>(bytes.count()) * cost.byte_cycles_recip};
}

}  // namespace petal
