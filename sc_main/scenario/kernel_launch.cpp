// SPDX-License-Identifier: Apache-2.0
#include "petal/scenario/kernel_launch.hpp"

#include <fmt/format.h>

#include "petal/command/error.hpp"
#include "petal/pe_cpu/dispatch_cost.hpp"
#include "petal/scenario/attention_layout.hpp"
#include "petal/scenario/counting_sink.hpp"
#include "petal/scenario/data_check.hpp"
#include "petal/scenario/layer_layout.hpp"
#include "petal/scenario/reference.hpp"
#include "petal/scenario/tensor_layout.hpp"

namespace petal {
namespace {

/// Tiles before the two that are compared: enough to be past every kernel's lead-in.
constexpr std::uint64_t kTilesBefore = 6;

std::uint64_t decode_macs(const GqaDecodeArguments& arguments) {
  return 2 * arguments.q_heads * arguments.kv_len * arguments.head_dim;
}

std::map<std::string, std::vector<double>> named_results(std::vector<std::vector<double>> o_m_l) {
  return {{"O", std::move(o_m_l[0])}, {"m", std::move(o_m_l[1])}, {"l", std::move(o_m_l[2])}};
}

std::map<std::string, std::vector<double>> split_results(const GqaSplitArguments& arguments,
                                                         const TensorData& data) {
  SplitStates states = split_reference(arguments, data.input("Q"), data.input("K"), data.input("V"));
  return {
      {"m_parts", std::move(states.m)}, {"l_parts", std::move(states.l)}, {"O_parts", std::move(states.o)}};
}

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
    : kernel_(&kernel), platform_(platform) {
  check_engines();
  const Bytes capacity = platform.hbm.capacity;
  switch (kernel.family()) {
    case KernelFamily::decode:
      decode_ = decode_arguments(workload, capacity);
      break;
    case KernelFamily::gemm:
      gemm_ = gemm_arguments(workload, capacity);
      break;
    case KernelFamily::attention:
      attention_ = attention_layout(workload, attention_inputs(workload, inputs), capacity);
      break;
    case KernelFamily::split_decode:
      check_hbm();
      split_ = split_arguments(workload, capacity);
      break;
    case KernelFamily::decoder_layer:
      check_hbm();
      layer_ = layer_arguments(workload, capacity);
      break;
  }
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
    if (kernel_->family() != KernelFamily::gemm) need(pe.engines.math, "math");
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
    programs.push_back([launch, pe, next](CommandSink& sink) { launch->run(sink, pe, (*next)[pe]); });
  return programs;
}

void KernelLaunch::run(CommandSink& sink, std::size_t pe, CompletionId& next) const {
  TlOptions options = tl_options_for(platform_.pes[pe], pe, platform_.pes.size());
  options.first_completion = next;
  TlContext tl(sink, options);
  switch (kernel_->family()) {
    case KernelFamily::decode:
      std::get<0>(kernel_->body)(tl, decode_);
      break;
    case KernelFamily::gemm:
      std::get<1>(kernel_->body)(tl, gemm_);
      break;
    case KernelFamily::attention:
      std::get<2>(kernel_->body)(tl, attention_.arguments);
      break;
    case KernelFamily::split_decode:
      std::get<3>(kernel_->body)(tl, split_);
      break;
    case KernelFamily::decoder_layer:
      std::get<4>(kernel_->body)(tl, layer_);
      break;
  }
  next = tl.next_completion();
}

std::vector<ScenarioTensor> KernelLaunch::tensors() const {
  switch (kernel_->family()) {
    case KernelFamily::decode:
      return tensors_of(decode_);
    case KernelFamily::attention:
      return attention_.tensors;
    case KernelFamily::split_decode:
      return tensors_of(split_);
    case KernelFamily::decoder_layer:
      return tensors_of(layer_);
    case KernelFamily::gemm:
      break;
  }
  return tensors_of(gemm_);
}

TensorFiles KernelLaunch::tensor_files(TensorFiles files) const {
  if (kernel_->family() == KernelFamily::attention) files.erase(kNonpadKvSeqlen);
  return files;
}

bool KernelLaunch::computes_parts() const {
  return std::get<3>(kernel_->body) == &gqa_decode_split;
}

/// Of each tensor that this launch writes.
std::map<std::string, std::vector<double>> KernelLaunch::reference(const Platform& platform,
                                                                   const TensorData& data) const {
  const AttentionProblem& attention = attention_.arguments.problem;
  const auto now = [&](const std::string& name) { return values_now(platform, data, name); };
  switch (kernel_->family()) {
    case KernelFamily::decode:
      return named_results(decode_reference(decode_, data.input("Q"), data.input("K"), data.input("V")));
    case KernelFamily::attention:
      return {{"Y", attention_reference(attention, attention_values(attention, data))}};
    case KernelFamily::split_decode:
      if (computes_parts()) return split_results(split_, data);
      return named_results(combine_reference(split_, {now("m_parts"), now("l_parts"), now("O_parts")}));
    case KernelFamily::decoder_layer:
      return layer_reference(std::get<4>(kernel_->body), layer_, now);
    case KernelFamily::gemm:
      break;
  }
  return {{"C", gemm_reference(gemm_, data.input("A"), data.input("B"))}};
}

std::uint64_t KernelLaunch::terms() const {
  switch (kernel_->family()) {
    case KernelFamily::decode:
      return decode_.kv_len;
    case KernelFamily::attention:
      return attention_.arguments.problem.keys();
    case KernelFamily::split_decode:
      return split_.decode.kv_len;
    case KernelFamily::decoder_layer:
      return layer_work(std::get<4>(kernel_->body), layer_).terms;
    case KernelFamily::gemm:
      break;
  }
  return gemm_.k;
}

std::vector<TensorError> KernelLaunch::check(const Platform& platform, const TensorData& data) const {
  const std::map<std::string, std::vector<double>> expected = reference(platform, data);
  std::vector<TensorError> errors;
  for (const ScenarioTensor& tensor : tensors()) {
    const auto found = expected.find(tensor.name);
    if (found == expected.end()) continue;
    errors.push_back(tensor_error(tensor.name, as_doubles(read_result(platform, tensor)), found->second,
                                  data_tolerance(tensor.dtype, terms())));
  }
  return errors;
}

std::uint64_t KernelLaunch::tiles() const {
  switch (kernel_->family()) {
    case KernelFamily::decode:
      return gqa_decode_tiles(decode_);
    case KernelFamily::attention:
      return attention_tiles(attention_.arguments);
    case KernelFamily::split_decode:
      return computes_parts() ? gqa_split_tiles(split_) : 0;
    case KernelFamily::decoder_layer:
      return layer_work(std::get<4>(kernel_->body), layer_).tiles;
    case KernelFamily::gemm:
      break;
  }
  return 0;
}

std::uint64_t KernelLaunch::macs() const {
  switch (kernel_->family()) {
    case KernelFamily::decode:
      return decode_macs(decode_);
    case KernelFamily::attention:
      return attention_macs(attention_.arguments);
    case KernelFamily::split_decode:
      return computes_parts() ? decode_macs(split_.decode) : 0;
    case KernelFamily::decoder_layer:
      return layer_work(std::get<4>(kernel_->body), layer_).macs;
    case KernelFamily::gemm:
      break;
  }
  return gemm_.m * gemm_.k * gemm_.n;
}

std::optional<PerTile> KernelLaunch::steady_state() const {
  if (kernel_->family() != KernelFamily::decode) return std::nullopt;
  const auto count = [this](std::uint64_t tiles) {
    KernelLaunch shorter = *this;
    shorter.decode_.q_heads = decode_.q_heads / decode_.kv_heads;
    shorter.decode_.kv_heads = 1;
    shorter.decode_.kv_len = tiles * decode_.tile;
    CountingSink sink;
    CompletionId next = 1;
    shorter.run(sink, 0, next);
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
