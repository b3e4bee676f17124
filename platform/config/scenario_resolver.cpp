// SPDX-License-Identifier: Apache-2.0
#include "petal/config/scenario_resolver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <unordered_map>

#include "petal/config/dispatch_presets.hpp"
#include "petal/config/model_presets.hpp"
#include "petal/config/schema_limits.hpp"

namespace petal {

namespace {

constexpr const char* kModelKey = "model";
constexpr const char* kOutDTypeKey = "gemm.out_dtype";
constexpr const char* kQHeadsKey = "q_heads";
constexpr const char* kKvHeadsKey = "kv_heads";
constexpr const char* kRootPresetKey = "dispatch_preset";
constexpr const char* kPresetKey = "attrs.pe_cost_model.preset";
constexpr const char* kCapKey = "attrs.pe_cost_model.max_composite_logical_bytes";
constexpr const char* kQueueKey = "attrs.pe_cpu.queue_bytes";
constexpr const char* kTileMKey = "attrs.pe_scheduler.gemm_tile.m";
constexpr const char* kTileKKey = "attrs.pe_scheduler.gemm_tile.k";
constexpr const char* kTileNKey = "attrs.pe_scheduler.gemm_tile.n";
constexpr const char* kTileBuffersKey = "attrs.pe_scheduler.tile_buffers";
constexpr const char* kMaxInFlightKey = "attrs.pe_scheduler.max_in_flight";
constexpr const char* kDataflowKey = "attrs.pe_gemm.dataflow";
constexpr const char* kPreloadKey = "attrs.pe_gemm.preload";

// A queue of four caps, but never one too small for a primitive command.
constexpr std::uint64_t kCapsInQueue = 4;

// A staging slot has room for three operands and a result (StagingLayout).
constexpr double kAreasASlot = 4.0;
constexpr double kMostBytesAnElement = 4.0;
// Far from the end of 64-bit addresses, whatever the arena.
constexpr double kMostStagingBytes = 0x1p62;

// The name a layer gives to a preset key, or "none".
template <typename Owner>
std::string preset_name(const ConfigLayer<Owner>& layer, const char* key) {
  const ConfigAssignment<Owner>* given = deciding<Owner>({&layer}, key);
  return given != nullptr && given->value ? std::get<std::string>(*given->value) : std::string("none");
}

void apply_dispatch_preset(PeConfig& pe, const std::string& name) {
  const std::optional<DispatchPreset> preset = dispatch_preset_named(name);
  if (!preset) return;
  pe.cost.fixed_per_cmd_cycles = preset->fixed_per_cmd_cycles;
  pe.cost.byte_cycles_recip = preset->byte_cycles_recip;
}

void put_over(PeConfig& pe, const ConfigLayer<PeConfig>& layer) {
  apply_dispatch_preset(pe, preset_name(layer, kPresetKey));
  put_values(pe, layer);
}

void put_over(LaunchConfig& launch, const ConfigLayer<LaunchConfig>& layer) {
  if (const std::optional<ModelPreset> preset = model_preset_named(preset_name(layer, kModelKey))) {
    launch.workload.q_heads = preset->q_heads;
    launch.workload.kv_heads = preset->kv_heads;
    launch.workload.head_dim = preset->head_dim;
    launch.workload.layer.hidden = preset->hidden;
    launch.workload.layer.intermediate = preset->ffn;
  }
  put_values(launch, layer);
}

using KeyList = std::initializer_list<const char*>;

// Of several keys the one given in the strongest layer; null if none was.
template <typename Owner>
const ConfigAssignment<Owner>* strongest(const std::vector<const ConfigLayer<Owner>*>& layers, KeyList keys) {
  for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer)
    for (const char* name : keys)
      if (const ConfigAssignment<Owner>* given = deciding<Owner>({*layer}, name)) return given;
  return nullptr;
}

// Whether a key has a value that was refused: what follows from it is not worth a message of its own.
template <typename Owner>
bool is_refused(const std::vector<const ConfigLayer<Owner>*>& layers, const char* key) {
  const ConfigAssignment<Owner>* given = deciding(layers, key);
  return given != nullptr && !given->value;
}

// Reports values that do not go together, where the one that was given last is written.
template <typename Owner>
void report_together(const std::vector<const ConfigLayer<Owner>*>& layers, KeyList keys,
                     const std::string& what, ConfigDiagnostics& diagnostics) {
  const ConfigAssignment<Owner>* blamed = strongest(layers, keys);
  for (const char* const key : keys)
    if (is_refused(layers, key)) return;
  if (blamed != nullptr) diagnostics.add(blamed->origin, blamed->path, blamed->shown, what);
}

// The index of the strongest layer that gives `key`; 0 if none does.
template <typename Owner>
std::size_t deciding_layer(const std::vector<const ConfigLayer<Owner>*>& layers, const std::string& key) {
  for (std::size_t layer = layers.size(); layer > 0; --layer)
    if (deciding<Owner>({layers[layer - 1]}, key) != nullptr) return layer - 1;
  return 0;
}

// Reports keys that `owner`'s choices leave unused. Those of layers weaker than the choice are no mistake:
// who overrides the choice (of a GEMM model, say) need not edit the file that filled in the other one.
template <typename Owner>
void report_unused(const std::vector<const ConfigLayer<Owner>*>& layers,
                   const std::vector<ConfigKey<Owner>>& keys, const Owner& owner,
                   ConfigDiagnostics& diagnostics) {
  for (std::size_t layer = 0; layer < layers.size(); ++layer)
    for (const ConfigAssignment<Owner>& given : *layers[layer]) {
      const std::optional<KeyCondition>& choice = given.key->only_with;
      if (is_used(keys, *given.key, owner) || is_refused(layers, choice->path.c_str()) ||
          layer < deciding_layer(layers, choice->path))
        continue;
      const ConfigKey<Owner>& chooser = *find_key(keys, choice->path);
      diagnostics.add(given.origin, given.path, given.shown,
                      fmt::format("is only used with {} {}, and that is {} here; leave it out, or set {}={}",
                                  choice->path, choice->word, text_of(chooser.type, chooser.get(owner)),
                                  choice->path, choice->word));
    }
}

class Resolver {
 public:
  Resolver(const ScenarioSource& file, const ScenarioSource& sets, ConfigDiagnostics& diagnostics)
      : file_(file), sets_(sets), diagnostics_(diagnostics) {}

  ScenarioConfig run() {
    ScenarioConfig config;
    config.sweep = file_.sweep;
    put_values(config, file_.scenario);
    put_values(config, sets_.scenario);
    const LaunchConfig root = launch_with(nullptr);
    config.kernel = root.kernel;
    config.workload = root.workload;
    config.launches.clear();
    for (const ConfigLayer<LaunchConfig>& entry : file_.launches)
      config.launches.push_back(launch_with(&entry));
    if (config.launches.empty()) config.launches.push_back(root);
    config.platform.pes = pes();
    put_values(config.platform.hbm, file_.hbm);
    put_values(config.platform.hbm, sets_.hbm);
    return config;
  }

 private:
  using PeLayers = std::vector<const ConfigLayer<PeConfig>*>;

  LaunchConfig launch_with(const ConfigLayer<LaunchConfig>* entry) {
    std::vector<const ConfigLayer<LaunchConfig>*> layers{&file_.launch, &sets_.launch};
    if (entry != nullptr) layers.push_back(entry);
    LaunchConfig launch;
    for (const ConfigLayer<LaunchConfig>* layer : layers) put_over(launch, *layer);
    WorkloadConfig& work = launch.workload;
    if (deciding(layers, kOutDTypeKey) == nullptr)
      work.gemm.out_dtype = work.dtype == DType::i8 ? DType::i32 : work.dtype;
    // The root's values are only used, and need only fit together, where no entry stands in for them.
    const bool is_used = entry != nullptr || file_.launches.empty();
    if (is_used && work.q_heads % work.kv_heads != 0 && !is_refused(layers, kModelKey))
      report_together(layers, {kQHeadsKey, kKvHeadsKey},
                      fmt::format("q_heads must be a multiple of kv_heads; they are {} and {}", work.q_heads,
                                  work.kv_heads),
                      diagnostics_);
    return launch;
  }

  PeConfig pe_with(const PeEntry* entry) {
    PeLayers layers{&file_.pe, &sets_.pe};
    PeConfig pe;
    apply_dispatch_preset(pe, preset_name(file_.scenario, kRootPresetKey));
    put_over(pe, file_.pe);
    apply_dispatch_preset(pe, preset_name(sets_.scenario, kRootPresetKey));
    put_over(pe, sets_.pe);
    if (entry != nullptr) {
      layers.push_back(&entry->layer);
      put_over(pe, entry->layer);
      pe.name = entry->name;
    }
    if (deciding(layers, kQueueKey) == nullptr)
      pe.cpu.queue_bytes =
          Bytes(std::max(kLeastQueueBytes, kCapsInQueue * pe.cost.max_composite_logical_bytes));
    check_queue(layers, pe);
    check_staging(layers, pe);
    check_array(layers, pe);
    report_unused(layers, pe_keys(), pe, diagnostics_);
    return pe;
  }

  void check_queue(const PeLayers& layers, const PeConfig& pe) {
    const std::uint64_t cap = pe.cost.max_composite_logical_bytes;
    if (pe.cpu.queue_bytes < Bytes(cap))
      report_together(
          layers, {kQueueKey, kCapKey},
          fmt::format("queue_bytes must be at least max_composite_logical_bytes, the cap; they are {} and {}",
                      pe.cpu.queue_bytes.count(), cap),
          diagnostics_);
  }

  // In doubles, which hold every product of these keys.
  void check_staging(const PeLayers& layers, const PeConfig& pe) {
    const GemmTile& tile = pe.scheduler.gemm_tile;
    const auto area = [](std::uint64_t a, std::uint64_t b) {
      return static_cast<double>(a) * static_cast<double>(b);
    };
    const double most = kMostBytesAnElement * kAreasASlot * static_cast<double>(pe.scheduler.tile_buffers) *
                        static_cast<double>(pe.scheduler.max_in_flight) *
                        std::max({area(tile.m, tile.k), area(tile.k, tile.n), area(tile.m, tile.n)});
    if (most > kMostStagingBytes)
      report_together(
          layers, {kTileMKey, kTileKKey, kTileNKey, kTileBuffersKey, kMaxInFlightKey},
          fmt::format("staging for max_in_flight {} x tile_buffers {} slots of a gemm_tile of "
                      "{} x {} x {} would reach beyond 64-bit TCM addresses; lower one of them",
                      pe.scheduler.max_in_flight, pe.scheduler.tile_buffers, tile.m, tile.k, tile.n),
          diagnostics_);
  }

  void check_array(const PeLayers& layers, const PeConfig& pe) {
    const SystolicArray& array = pe.gemm.array;
    if (pe.gemm.model == GemmModel::systolic && array.dataflow == Dataflow::output_stationary &&
        array.preload == Preload::overlapped)
      report_together(layers, {kPreloadKey, kDataflowKey},
                      "preload overlapped goes with dataflow ws or is; os accumulates in place and has "
                      "nothing to load ahead",
                      diagnostics_);
  }

  std::vector<PeConfig> pes() {
    if (file_.pes.empty()) return counted_pes(sets_.pe_count.value_or(file_.pe_count.value_or(1)));
    if (sets_.pe_count || !sets_.pes.empty())
      diagnostics_.add(sets_.pes_origin, kPesPath, "",
                       fmt::format("cannot be set: {}:{} lists the PEs; edit the list",
                                   file_.pes_origin.source, file_.pes_origin.line));
    return listed_pes();
  }

  std::vector<PeConfig> counted_pes(std::uint64_t count) {
    std::vector<PeConfig> pes(count, pe_with(nullptr));
    for (std::uint64_t i = 0; i < count; ++i) pes[i].name = fmt::format("pe{}", i);
    return pes;
  }

  std::vector<PeConfig> listed_pes() {
    std::vector<PeConfig> pes;
    std::unordered_map<std::string, const PeEntry*> seen;
    for (const PeEntry& entry : file_.pes) {
      pes.push_back(pe_with(&entry));
      const auto [first, is_new] = seen.emplace(entry.name, &entry);
      if (!is_new)
        diagnostics_.add(entry.name_origin, fmt::format("{}.{}", entry.path, kPeNameKey),
                         fmt::format("'{}'", entry.name),
                         fmt::format("must be unique; {} on line {} has the same name", first->second->path,
                                     first->second->name_origin.line));
    }
    return pes;
  }

  const ScenarioSource& file_;
  const ScenarioSource& sets_;
  ConfigDiagnostics& diagnostics_;
};

}  // namespace

ScenarioConfig resolve(const ScenarioSource& file, const ScenarioSource& sets,
                       ConfigDiagnostics& diagnostics) {
  return Resolver(file, sets, diagnostics).run();
}

}  // namespace petal
