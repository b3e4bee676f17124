// SPDX-License-Identifier: Apache-2.0
#include "petal/config/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "petal/config/attention_schema.hpp"
#include "petal/config/dispatch_presets.hpp"
#include "petal/config/model_presets.hpp"
#include "petal/config/schema_limits.hpp"
#include "petal/config/sweep_schema.hpp"

namespace petal {

namespace {

std::vector<std::string> model_words() {
  std::vector<std::string> words{"none"};
  for (const ModelPreset& preset : model_presets()) words.emplace_back(preset.name);
  return words;
}

// i32 is what integer products are summed in; no tensor comes in with it.
std::vector<std::string> input_dtype_words() {
  std::vector<std::string> words = word_list<DType>();
  words.erase(std::remove(words.begin(), words.end(), std::string(name_of(DType::i32))), words.end());
  return words;
}

ValueType model_type() {
  ValueType type = word_type(model_words());
  type.allowed = "none, or a name from `petal list`";
  type.parse = [parse = type.parse](const YamlNode& node) {
    ParsedValue parsed = parse(node);
    if (!parsed.problem.empty()) return parsed;
    const auto preset = model_preset_named(node.text);
    if (preset && !preset->is_supported())
      parsed.problem =
          "is not supported: it has latent attention (MLA), which has no GQA form; choose another model";
    return parsed;
  };
  return type;
}

std::vector<ConfigKey<LaunchConfig>> make_workload_keys() {
  using Launch = LaunchConfig;
  const char* const from_model = ", or the model's";
  const auto heads_default = [&](std::uint64_t count) { return fmt::format("{}{}", count, from_model); };
  const WorkloadConfig defaults;
  return {
      key_for<Launch>(
          "kernel", "", text_type(), "the kernel to run; a unique suffix of its name will do",
          [](auto& launch) -> auto& { return launch.kernel; }, "not given"),
      key_for<Launch>(
          "model", "", model_type(),
          "fills q_heads, kv_heads, head_dim, layer.hidden and layer.intermediate; each can be given beside "
          "it",
          [](auto& launch) -> auto& { return launch.workload.model; }),
      key_for<Launch>(
          "q_heads", "heads", integer_type(1, 65536), "query heads; a multiple of kv_heads",
          [](auto& launch) -> auto& { return launch.workload.q_heads; }, heads_default(defaults.q_heads)),
      key_for<Launch>(
          "kv_heads", "heads", integer_type(1, 65536), "KV heads, one a PE, round robin",
          [](auto& launch) -> auto& { return launch.workload.kv_heads; }, heads_default(defaults.kv_heads)),
      key_for<Launch>(
          "head_dim", "elements", integer_type(1, 65536), "elements of one head's vector",
          [](auto& launch) -> auto& { return launch.workload.head_dim; }, heads_default(defaults.head_dim)),
      key_for<Launch>(
          "kv_len", "keys", integer_type(0, kInt32Max), "keys in the KV cache",
          [](auto& launch) -> auto& { return launch.workload.kv_len; }),
      key_for<Launch>(
          "tile", "keys", integer_type(1, kInt32Max), "keys a kernel handles at a time",
          [](auto& launch) -> auto& { return launch.workload.tile; }),
      key_for<Launch>(
          "store_softmax_state", "", boolean_type(),
          "decode kernels also store the softmax's m and l, f32 [q_heads]",
          [](auto& launch) -> auto& { return launch.workload.store_softmax_state; }),
      key_for<Launch>(
          "dtype", "", word_type(input_dtype_words()), "element type of the tensors in HBM",
          [](auto& launch) -> auto& { return launch.workload.dtype; }),
      key_for<Launch>(
          "gemm.m", "elements", integer_type(0, kInt32Max), "rows of A and C",
          [](auto& launch) -> auto& { return launch.workload.gemm.m; }),
      key_for<Launch>(
          "gemm.k", "elements", integer_type(0, kInt32Max), "columns of A, rows of B",
          [](auto& launch) -> auto& { return launch.workload.gemm.k; }),
      key_for<Launch>(
          "gemm.n", "elements", integer_type(0, kInt32Max), "columns of B and C",
          [](auto& launch) -> auto& { return launch.workload.gemm.n; }),
      key_for<Launch>(
          "gemm.out_dtype", "", word_type(word_list<DType>()), "element type of C",
          [](auto& launch) -> auto& { return launch.workload.gemm.out_dtype; }, "dtype; i32 for i8"),
  };
}

std::vector<ConfigKey<LaunchConfig>> make_layer_keys() {
  using Launch = LaunchConfig;
  const auto from_model = [](std::uint64_t count) { return fmt::format("{}, or the model's", count); };
  const LayerWorkload defaults;
  return {
      key_for<Launch>(
          "kv_splits", "", integer_type(1, 65536), "parts of each KV head's keys in split-KV decode",
          [](auto& launch) -> auto& { return launch.workload.kv_splits; }),
      key_for<Launch>(
          "layer.tokens", "tokens", integer_type(1, kInt32Max),
          "tokens of one sequence that a decoder layer works on, behind the kv_len cached ones",
          [](auto& launch) -> auto& { return launch.workload.layer.tokens; }),
      key_for<Launch>(
          "layer.hidden", "elements", integer_type(1, kInt32Max), "elements of one token's vector",
          [](auto& launch) -> auto& { return launch.workload.layer.hidden; }, from_model(defaults.hidden)),
      key_for<Launch>(
          "layer.intermediate", "elements", integer_type(1, kInt32Max),
          "columns of the gate and up projections",
          [](auto& launch) -> auto& { return launch.workload.layer.intermediate; },
          from_model(defaults.intermediate)),
      key_for<Launch>(
          "layer.norm_eps", "", real_type(0.0, 1.0), "what the norms add to the mean square",
          [](auto& launch) -> auto& { return launch.workload.layer.norm_eps; }),
  };
}

std::vector<ConfigKey<LaunchConfig>> make_launch_keys() {
  std::vector<ConfigKey<LaunchConfig>> keys = make_workload_keys();
  for (const auto& list : {attention_attribute_keys(), attention_shape_keys(), make_layer_keys()})
    keys.insert(keys.end(), list.begin(), list.end());
  return keys;
}

std::vector<ConfigKey<HbmConfig>> make_hbm_keys() {
  using Hbm = HbmConfig;
  return {
      key_for<Hbm>(
          "scope", "", word_type(word_list<HbmScope>()), "an HBM for each PE, or one that all share",
          [](auto& hbm) -> auto& { return hbm.scope; }),
      key_for<Hbm>(
          "channels", "channels", integer_type(1, 64), "pseudo-channels of one HBM",
          [](auto& hbm) -> auto& { return hbm.channels; }),
      key_for<Hbm>(
          "gb_per_s_per_channel", "GB/s", rate_type(kLeastRate, kMostRate), "peak of one pseudo-channel",
          [](auto& hbm) -> auto& { return hbm.channel_bandwidth; }),
      key_for<Hbm>(
          "efficiency", "", share_type(1.0), "share of the peak that is reached",
          [](auto& hbm) -> auto& { return hbm.efficiency; }),
      key_for<Hbm>(
          "interleave_bytes", "bytes", power_of_two_bytes_type(1, kGiB), "consecutive bytes on one channel",
          [](auto& hbm) -> auto& { return hbm.interleave_bytes; }),
      key_for<Hbm>(
          "interleave", "", word_type(word_list<HbmInterleave>()), "how an address picks its channel",
          [](auto& hbm) -> auto& { return hbm.interleave; }),
      key_for<Hbm>(
          "latency_ns", "ns", real_type(0.0, kMostCycles), "from the end of a transfer to its completion",
          [](auto& hbm) -> auto& { return hbm.latency_ns; }),
      key_for<Hbm>(
          "capacity", "bytes", bytes_type(64, 65536 * kGiB), "size of one HBM",
          [](auto& hbm) -> auto& { return hbm.capacity; }),
  };
}

std::vector<ConfigKey<ScenarioConfig>> make_scenario_keys() {
  using Scenario = ScenarioConfig;
  return {
      key_for<Scenario>(
          "compare", "", text_list_type(), "the kernels that `compare` runs side by side",
          [](auto& scenario) -> auto& { return scenario.compare; }),
      key_for<Scenario>(
          "seed", "", integer_type(0, std::numeric_limits<std::uint64_t>::max()),
          "of the data that tensors are filled with", [](auto& scenario) -> auto& { return scenario.seed; }),
      key_for<Scenario>(
          "dispatch_preset", "", dispatch_preset_type(),
          "published FIXED and R of every PE; a PE's own preset and keys win over it",
          [](auto& scenario) -> auto& { return scenario.dispatch_preset; }),
  };
}

template <typename Owner>
void append_entries(std::vector<SchemaEntry>& entries, const std::vector<ConfigKey<Owner>>& keys,
                    const std::string& prefix) {
  const Owner defaults;
  for (const ConfigKey<Owner>& key : keys) {
    const std::string default_text =
        key.default_note.empty() ? text_of(key.type, key.get(defaults)) : key.default_note;
    const std::string condition =
        key.only_with ? fmt::format("; only with {}{} {}", prefix, key.only_with->path, key.only_with->word)
                      : std::string();
    entries.push_back(
        {prefix + key.path, key.type.name, key.unit, key.type.allowed, default_text, key.doc + condition});
  }
}

}  // namespace

ValueType dispatch_preset_type() {
  std::vector<std::string> words{"none"};
  for (const DispatchPreset& preset : dispatch_presets()) words.emplace_back(preset.name);
  return word_type(std::move(words));
}

const std::vector<ConfigKey<ScenarioConfig>>& scenario_keys() {
  static const std::vector<ConfigKey<ScenarioConfig>> keys = make_scenario_keys();
  return keys;
}

const std::vector<ConfigKey<LaunchConfig>>& launch_keys() {
  static const std::vector<ConfigKey<LaunchConfig>> keys = make_launch_keys();
  return keys;
}

const std::vector<ConfigKey<HbmConfig>>& hbm_keys() {
  static const std::vector<ConfigKey<HbmConfig>> keys = make_hbm_keys();
  return keys;
}

std::vector<SchemaEntry> schema_entries() {
  std::vector<SchemaEntry> entries;
  append_entries(entries, launch_keys(), "");
  entries.push_back({kLaunchesPath, "list", "", "of maps of the keys above", "one, of the root's keys",
                     "kernels one after the other, with a barrier between"});
  append_entries(entries, scenario_keys(), "");
  entries.push_back({kPesPath, "integer", "PEs", fmt::format("from 1 to {}, or a list of maps", kMostPes),
                     "1", "how many PEs; or each one's name and the keys of platform.pe it changes"});
  entries.push_back({fmt::format("{}[].{}", kPesPath, kPeNameKey), "text", "", "not empty, unique",
                     "pe0, pe1, ...", "name of one PE in logs and waveforms"});
  append_entries(entries, pe_keys(), kPePrefix);
  append_entries(entries, hbm_keys(), kHbmPrefix);
  append_entries(entries, sweep_keys(), kSweepPrefix);
  append_entries(entries, sweep_case_keys(), fmt::format("{}{}[].", kSweepPrefix, kSweepCasesKey));
  append_entries(entries, sweep_plot_keys(), fmt::format("{}{}[].", kSweepPrefix, kSweepPlotsKey));
  return entries;
}

}  // namespace petal
