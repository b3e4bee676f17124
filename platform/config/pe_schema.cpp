// SPDX-License-Identifier: Apache-2.0
//
// The keys of a PE.
#include <algorithm>

#include "petal/config/schema.hpp"
#include "petal/config/schema_limits.hpp"

namespace petal {

namespace {

constexpr std::uint64_t kMostTileEdge = 1048576;
constexpr std::uint64_t kMostArrayEdge = 65536;
constexpr std::uint64_t kLeastBurst = 16;
constexpr std::uint64_t kMostBurst = 4096;

using PeKeys = std::vector<ConfigKey<PeConfig>>;

// Shorthand of the tables below; FieldOf takes the owner, const or not.
template <typename FieldOf>
ConfigKey<PeConfig> pe_key(const char* path, const char* unit, ValueType type, const char* doc,
                           FieldOf field_of, const char* default_note = "") {
  return key_for<PeConfig>(path, unit, std::move(type), doc, field_of, default_note);
}

constexpr const char* kGemmModelKey = "attrs.pe_gemm.model";

constexpr const char* kDmaInterfaceKey = "attrs.pe_dma.interface";

// A key that one model of PE_GEMM, or one interface of PE_DMA, alone reads.
template <typename Choice>
ConfigKey<PeConfig> only_with(const char* key_of_choice, Choice choice, ConfigKey<PeConfig> key) {
  key.only_with = KeyCondition{key_of_choice, std::get<std::string>(value_of(choice))};
  return key;
}

void add_cpu_keys(PeKeys& keys) {
  keys.push_back(pe_key(
      "attrs.clock_freq_ghz", "GHz", real_type(1e-3, 1e3),
      "clock of the PE; all its cycles are of this clock", [](auto& pe) -> auto& { return pe.clock; }));
  keys.push_back(pe_key(
      "attrs.pe_cost_model.preset", "", dispatch_preset_type(),
      "published FIXED and R of this PE; the two keys below win over it",
      [](auto& pe) -> auto& { return pe.dispatch_preset; }));
  keys.push_back(pe_key(
      "attrs.pe_cost_model.fixed_per_cmd_cycles", "cycles/command", real_type(0.0, kMostCycles),
      "FIXED: what PE_CPU pays to issue any command",
      [](auto& pe) -> auto& { return pe.cost.fixed_per_cmd_cycles; }));
  keys.push_back(pe_key(
      "attrs.pe_cost_model.byte_cycles_recip", "cycles/byte", real_type(0.0, kMostCyclesPerByte),
      "R: what PE_CPU pays for each logical byte of a command",
      [](auto& pe) -> auto& { return pe.cost.byte_cycles_recip; }));
  keys.push_back(pe_key(
      "attrs.pe_cost_model.max_composite_logical_bytes", "bytes", bytes_type(1, kGiB),
      "cap: a larger composite is issued in segments",
      [](auto& pe) -> auto& { return pe.cost.max_composite_logical_bytes; }));
  keys.push_back(pe_key(
      "attrs.pe_cpu.auto_await", "", word_type(word_list<AutoAwait>()),
      "commands whose pending inputs PE_CPU waits for before it issues them",
      [](auto& pe) -> auto& { return pe.cpu.auto_await; }));
  keys.push_back(pe_key(
      "attrs.pe_cpu.queue_bytes", "bytes", bytes_type(kLeastQueueBytes, 4 * kGiB),
      "capacity of the command queue in logical bytes; at least the cap",
      [](auto& pe) -> auto& { return pe.cpu.queue_bytes; }, "4 x the cap, at least 64"));
}

void add_scheduler_keys(PeKeys& keys) {
  keys.push_back(pe_key(
      "attrs.pe_scheduler.gemm_tile.m", "elements", integer_type(1, kMostTileEdge), "rows of a hardware tile",
      [](auto& pe) -> auto& { return pe.scheduler.gemm_tile.m; }));
  keys.push_back(pe_key(
      "attrs.pe_scheduler.gemm_tile.k", "elements", integer_type(1, kMostTileEdge),
      "depth of a hardware tile", [](auto& pe) -> auto& { return pe.scheduler.gemm_tile.k; }));
  keys.push_back(pe_key(
      "attrs.pe_scheduler.gemm_tile.n", "elements", integer_type(1, kMostTileEdge),
      "columns of a hardware tile", [](auto& pe) -> auto& { return pe.scheduler.gemm_tile.n; }));
  keys.push_back(pe_key(
      "attrs.pe_scheduler.max_in_flight", "commands", integer_type(1, 65536),
      "commands taken off the queue and not completed",
      [](auto& pe) -> auto& { return pe.scheduler.max_in_flight; }));
  keys.push_back(pe_key(
      "attrs.pe_scheduler.tile_buffers", "slots", integer_type(1, 1024),
      "staging slots, and out slots, of one composite",
      [](auto& pe) -> auto& { return pe.scheduler.tile_buffers; }));
  keys.push_back(pe_key(
      "attrs.pe_scheduler.plan_cycles_per_op", "cycles/op", real_type(0.0, kMostCycles),
      "from taking a command to its first stage, for each of its ops",
      [](auto& pe) -> auto& { return pe.scheduler.plan_cycles_per_op; }));
  keys.push_back(pe_key(
      "attrs.pe_scheduler.math_head_streaming", "", boolean_type(),
      "let a MATH-only composite stream operands from HBM in chunks",
      [](auto& pe) -> auto& { return pe.scheduler.math_head_streaming; }));
}

void add_bus_keys(PeKeys& keys) {
  const auto add = [&](ConfigKey<PeConfig> key) {
    keys.push_back(only_with(kDmaInterfaceKey, DmaInterface::bursts, std::move(key)));
  };
  add(pe_key(
      "attrs.pe_dma.protocol", "", word_type(word_list<BusProtocol>()),
      "of a burst: one blocking call (lt), or four phases (at)",
      [](auto& pe) -> auto& { return pe.dma.bus.protocol; }));
  add(pe_key(
      "attrs.pe_dma.burst_bytes", "bytes", power_of_two_bytes_type(kLeastBurst, kMostBurst),
      "bursts end at multiples of this power of two",
      [](auto& pe) -> auto& { return pe.dma.bus.burst_bytes; }));
  add(pe_key(
      "attrs.pe_dma.burst_outstanding", "bursts", integer_type(1, 4096),
      "bursts of one channel that are not answered",
      [](auto& pe) -> auto& { return pe.dma.bus.outstanding; }));
  add(pe_key(
      "attrs.pe_dma.ragged_bursts", "", word_type(word_list<RaggedBursts>()),
      "the head or tail of a run that is no whole burst: one burst, or powers of two",
      [](auto& pe) -> auto& { return pe.dma.bus.ragged; }));
  add(pe_key(
      "attrs.pe_dma.dmi", "", word_type(word_list<DmiUse>()),
      "direct memory pointers: none, those that state a latency, or all (lt)",
      [](auto& pe) -> auto& { return pe.dma.bus.dmi; }));
}

void add_data_movers_keys(PeKeys& keys) {
  keys.push_back(pe_key(
      "attrs.pe_dma.setup_cycles", "cycles", real_type(0.0, kMostCycles),
      "a DMA channel's work before each transfer", [](auto& pe) -> auto& { return pe.dma.setup_cycles; }));
  keys.push_back(pe_key(
      "attrs.pe_dma.outstanding", "transfers", integer_type(1, 65536),
      "transfers of one DMA channel whose data has not arrived",
      [](auto& pe) -> auto& { return pe.dma.outstanding; }));
  keys.push_back(pe_key(
      kDmaInterfaceKey, "", word_type(word_list<DmaInterface>()),
      "how a DMA reaches its memory: a whole stage at once, or by bursts of the TLM-2.0 base protocol",
      [](auto& pe) -> auto& { return pe.dma.interface; }));
  add_bus_keys(keys);
  keys.push_back(pe_key(
      "attrs.pe_fetch_store.read_gb_per_s", "GB/s", rate_type(kLeastRate, kMostRate),
      "TCM read port, for FETCH", [](auto& pe) -> auto& { return pe.fetch_store.read; }));
  keys.push_back(pe_key(
      "attrs.pe_fetch_store.write_gb_per_s", "GB/s", rate_type(kLeastRate, kMostRate),
      "TCM write port, for STORE", [](auto& pe) -> auto& { return pe.fetch_store.write; }));
  keys.push_back(pe_key(
      "attrs.pe_fetch_store.setup_cycles", "cycles", real_type(0.0, kMostCycles),
      "before each FETCH or STORE", [](auto& pe) -> auto& { return pe.fetch_store.setup_cycles; }));
}

void add_gemm_throughput_keys(PeKeys& keys) {
  const auto add = [&](ConfigKey<PeConfig> key) {
    keys.push_back(only_with(kGemmModelKey, GemmModel::throughput, std::move(key)));
  };
  add(pe_key(
      "attrs.pe_gemm.macs_per_cycle_f32", "MAC/cycle", rate_type(kLeastRate, kMostRate),
      "when an operand is f32", [](auto& pe) -> auto& { return pe.gemm.macs_per_cycle_f32; }));
  add(pe_key(
      "attrs.pe_gemm.macs_per_cycle_f16", "MAC/cycle", rate_type(kLeastRate, kMostRate),
      "when the wider operand is f16 or bf16", [](auto& pe) -> auto& { return pe.gemm.macs_per_cycle_f16; }));
  add(pe_key(
      "attrs.pe_gemm.macs_per_cycle_8bit", "MAC/cycle", rate_type(kLeastRate, kMostRate),
      "when both operands are i8 or an 8-bit float",
      [](auto& pe) -> auto& { return pe.gemm.macs_per_cycle_8bit; }));
  add(pe_key(
      "attrs.pe_gemm.m_quantum", "rows", integer_type(1, 65536), "rows a pass is rounded up to in time",
      [](auto& pe) -> auto& { return pe.gemm.m_quantum; }));
}

void add_gemm_systolic_keys(PeKeys& keys) {
  const auto add = [&](ConfigKey<PeConfig> key) {
    keys.push_back(only_with(kGemmModelKey, GemmModel::systolic, std::move(key)));
  };
  add(pe_key(
      "attrs.pe_gemm.rows", "rows", integer_type(1, kMostArrayEdge), "of the array",
      [](auto& pe) -> auto& { return pe.gemm.array.rows; }));
  add(pe_key(
      "attrs.pe_gemm.cols", "columns", integer_type(1, kMostArrayEdge), "of the array",
      [](auto& pe) -> auto& { return pe.gemm.array.cols; }));
  add(pe_key(
      "attrs.pe_gemm.dataflow", "", word_type(word_list<Dataflow>()),
      "what stays in the array: outputs, weights (b) or inputs (a)",
      [](auto& pe) -> auto& { return pe.gemm.array.dataflow; }));
  add(pe_key(
      "attrs.pe_gemm.preload", "", word_type(word_list<Preload>()),
      "whether a fold of ws or is loads its stationary part while the fold before streams",
      [](auto& pe) -> auto& { return pe.gemm.array.preload; }));
}

void add_compute_keys(PeKeys& keys) {
  keys.push_back(pe_key(
      kGemmModelKey, "", word_type(word_list<GemmModel>()), "how a GEMM stage's duration is worked out",
      [](auto& pe) -> auto& { return pe.gemm.model; }));
  add_gemm_throughput_keys(keys);
  add_gemm_systolic_keys(keys);
  keys.push_back(pe_key(
      "attrs.pe_math.lanes", "elements", integer_type(1, 1048576), "elements a vector",
      [](auto& pe) -> auto& { return pe.math.lanes; }));
  keys.push_back(pe_key(
      "attrs.pe_math.startup_cycles", "cycles", real_type(0.0, kMostCycles),
      "before the first vector of a stage", [](auto& pe) -> auto& { return pe.math.startup_cycles; }));
  keys.push_back(pe_key(
      "attrs.pe_math.fast_cycles", "cycles/vector", real_type(0.0, kMostCycles),
      "a vector of a simple opcode", [](auto& pe) -> auto& { return pe.math.fast_cycles; }));
  keys.push_back(pe_key(
      "attrs.pe_math.slow_cycles", "cycles/vector", real_type(0.0, kMostCycles),
      "a vector of an exp-like opcode, div, tanh or rsqrt",
      [](auto& pe) -> auto& { return pe.math.slow_cycles; }));
  keys.push_back(pe_key(
      "attrs.tcm.arena_bytes", "bytes", bytes_type(64, 1024 * kGiB),
      "a kernel's scratch; staging lies beyond it", [](auto& pe) -> auto& { return pe.tcm.arena; }));
}

PeKeys make_pe_keys() {
  PeKeys keys;
  keys.push_back(pe_key(
      "compute_slot", "", word_type(word_list<ComputeSlot>()), "whether GEMM and MATH exclude each other",
      [](auto& pe) -> auto& { return pe.compute_slot; }));
  keys.push_back(pe_key(
      "engines", "", word_list_type({"dma", "fetch_store", "gemm", "math"}),
      "the engines the PE has; a command that needs another is an error before the run",
      [](auto& pe) -> auto& { return pe.engines; }));
  add_cpu_keys(keys);
  add_scheduler_keys(keys);
  add_data_movers_keys(keys);
  add_compute_keys(keys);
  return keys;
}

}  // namespace

const std::vector<ConfigKey<PeConfig>>& pe_keys() {
  static const std::vector<ConfigKey<PeConfig>> keys = make_pe_keys();
  return keys;
}

Value value_of(const EngineSet& engines) {
  std::vector<std::string> names;
  if (engines.dma) names.emplace_back("dma");
  if (engines.fetch_store) names.emplace_back("fetch_store");
  if (engines.gemm) names.emplace_back("gemm");
  if (engines.math) names.emplace_back("math");
  return names;
}

void put(EngineSet& engines, const Value& value) {
  const auto& names = std::get<std::vector<std::string>>(value);
  const auto has = [&](const char* name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  engines = EngineSet{has("dma"), has("fetch_store"), has("gemm"), has("math")};
}

}  // namespace petal
