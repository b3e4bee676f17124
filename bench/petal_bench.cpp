// SPDX-License-Identifier: Apache-2.0
//
// What a stage costs to simulate, beside the limit that SystemC's kernel sets in the same run. All times are
// ratios' raw material: compare lines of one run, never of two. `./petal bench --benchmark_filter=REGEX`
// picks some.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <systemc>

#include "data_mode.hpp"
#include "large_composites.hpp"
#include "raw_kernel.hpp"
#include "scenario_simulation.hpp"

namespace petal::bench {
namespace {

struct Workload {
  const char* name;
  const char* yaml;
  std::vector<std::string> sets;
};

constexpr const char* kGemm =
    "{kernel: gemm, dtype: f16, gemm: {m: 2048, k: 2048, n: 2048}, platform: {pes: 1}}";
constexpr const char* kDecode =
    "{kernel: gqa_decode_opt2, q_heads: 4, kv_heads: 1, head_dim: 128, kv_len: 131072, tile: 64, dtype: f16, "
    "platform: {pes: 1}}";

std::vector<std::string> tile(const char* m, const char* k, const char* n) {
  const std::string path = "platform.pe.attrs.pe_scheduler.gemm_tile.";
  return {path + "m=" + m, path + "k=" + k, path + "n=" + n};
}

const std::vector<Workload>& workloads() {
  static const std::vector<Workload> kWorkloads = {
      {"gemm_2048_tile_128", kGemm, tile("128", "128", "128")},
      {"gemm_2048_tile_32x64x32", kGemm, tile("32", "64", "32")},
      {"decode_opt2_131072", kDecode, {}},
  };
  return kWorkloads;
}

constexpr std::uint64_t kPeCounts[] = {1, 16, 256};
/// Small GEMM tiles on 256 PEs would be 170 million stages: there each PE has an eighth of the rows.
constexpr std::uint64_t kManyPes = 256;

/// ns a stage by (workload, PEs), and of the raw limit by PEs; the least of all iterations.
using Costs = std::map<std::pair<std::string, std::uint64_t>, double>;

void keep_least(Costs& costs, const std::string& name, std::uint64_t pes, double nanoseconds) {
  const auto [entry, is_new] = costs.emplace(std::pair{name, pes}, nanoseconds);
  if (!is_new) entry->second = std::min(entry->second, nanoseconds);
}

void repeat(benchmark::State& state, const std::string& name, std::uint64_t pes, Costs& costs,
            const Builder& build) {
  Measurement last;
  for (auto iteration : state) {
    (void)iteration;
    last = measure(build);
    state.SetIterationTime(last.seconds);
    keep_least(costs, name, pes, last.seconds * 1e9 / static_cast<double>(last.events));
  }
  state.counters["ns_per_stage"] = costs[{name, pes}];
  state.counters["stages_per_s"] = 1e9 / costs[{name, pes}];
  state.counters["stages"] = static_cast<double>(last.events);
  state.counters["peak_MB"] = static_cast<double>(last.peak_bytes) / 1e6;
}

std::vector<std::string> sets_for(const Workload& workload, std::uint64_t pes) {
  std::vector<std::string> sets = workload.sets;
  sets.push_back("platform.pes=" + std::to_string(pes));
  if (pes == kManyPes && std::string(workload.name) == "gemm_2048_tile_32x64x32")
    sets.emplace_back("gemm.m=256");
  return sets;
}

void register_workload(const Workload& workload, std::uint64_t pes, Costs& costs) {
  benchmark::RegisterBenchmark(fmt::format("{}/pes:{}", workload.name, pes).c_str(),
                               [&workload, pes, &costs](benchmark::State& state) {
                                 const std::vector<std::string> sets = sets_for(workload, pes);
                                 const std::uint64_t stages = count_stages(workload.yaml, sets);
                                 repeat(state, workload.name, pes, costs,
                                        [&] { return scenario(workload.yaml, sets, stages); });
                               })
      ->UseManualTime()
      ->Iterations(pes == kManyPes ? 1 : 5)
      ->Unit(benchmark::kMillisecond);
}

constexpr const char* kRaw = "raw_kernel";
constexpr std::uint64_t kRawEvents = 600000;

void register_raw(std::uint64_t pes, Costs& costs) {
  benchmark::RegisterBenchmark(fmt::format("{}/pes:{}", kRaw, pes).c_str(),
                               [pes, &costs](benchmark::State& state) {
                                 repeat(state, kRaw, pes, costs,
                                        [pes] { return raw_kernel(pes, kRawEvents); });
                               })
      ->UseManualTime()
      ->Iterations(5)
      ->Unit(benchmark::kMillisecond);
}

/// opt2's composites fused until they are near the cap: 30 ops each.
void register_large_composites(Costs& costs) {
  for (const char* const plan_cycles : {"0", "1"}) {
    const std::string name = fmt::format("stress_30_op_composites/plan_cycles_per_op:{}", plan_cycles);
    benchmark::RegisterBenchmark(name.c_str(),
                                 [name, plan_cycles, &costs](benchmark::State& state) {
                                   repeat(state, name, 1, costs, [plan_cycles] {
                                     return large_composites(std::atof(plan_cycles), 20000);
                                   });
                                 })
        ->UseManualTime()
        ->Iterations(3)
        ->Unit(benchmark::kMillisecond);
  }
}

void register_memory(Costs& costs) {
  benchmark::RegisterBenchmark("memory_gemm_65536x4096x65536_tile_128",
                               [&costs](benchmark::State& state) {
                                 std::vector<std::string> sets = tile("128", "128", "128");
                                 for (const char* const set : {"gemm.m=65536", "gemm.k=4096", "gemm.n=65536"})
                                   sets.emplace_back(set);
                                 const std::uint64_t steps = 512ULL * 512 * 32;
                                 const std::uint64_t stages = steps * 5 + 512ULL * 512 * 2;
                                 repeat(state, "memory", 1, costs,
                                        [&] { return scenario(kGemm, sets, stages); });
                               })
      ->UseManualTime()
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
}

constexpr std::uint64_t kDataGemm = 1024;

std::string data_gemm_yaml(const char* dtype, const char* tile) {
  return fmt::format(
      "{{kernel: gemm, dtype: {}, gemm: {{m: {}, k: {}, n: {}}}, platform: {{pes: 1, pe: {{attrs: "
      "{{pe_scheduler: {{gemm_tile: {}}}}}}}}}}}",
      dtype, kDataGemm, kDataGemm, kDataGemm, tile);
}

constexpr const char* kDataDecode =
    "{kernel: gqa_decode_opt2, model: llama3.1-8b, kv_len: 8192, tile: 64, dtype: f16, platform: {pes: 8}}";

void register_whole(Costs& costs, const std::string& name, const Builder& build) {
  benchmark::RegisterBenchmark(
      name.c_str(), [name, build, &costs](benchmark::State& state) { repeat(state, name, 1, costs, build); })
      ->UseManualTime()
      ->Iterations(5)
      ->Unit(benchmark::kMillisecond);
}

/// Data mode beside what it can be measured against.
void register_data_mode(Costs& costs) {
  for (const DType dtype : {DType::f32, DType::f16}) {
    const std::string name(name_of(dtype));
    const std::string large = data_gemm_yaml(name.c_str(), "{m: 128, k: 128, n: 128}");
    const std::string small = data_gemm_yaml(name.c_str(), "{m: 32, k: 64, n: 32}");
    register_whole(costs, "data_gemm_1024_tile_128_" + name, [large] { return whole_scenario(large, true); });
    register_whole(costs, "data_gemm_1024_tile_32x64x32_" + name,
                   [small] { return whole_scenario(small, true); });
    register_whole(costs, "eigen_gemm_1024_" + name, [dtype] { return eigen_gemm(kDataGemm, dtype); });
  }
  register_whole(costs, "decode_opt2_8192_data", [] { return whole_scenario(kDataDecode, true); });
  register_whole(costs, "decode_opt2_8192_timing", [] { return whole_scenario(kDataDecode, false); });
}

void print_data_mode(const Costs& costs) {
  const auto ratio = [&costs](const std::string& name, const std::string& to) {
    const auto one = costs.find({name, 1});
    const auto other = costs.find({to, 1});
    return one == costs.end() || other == costs.end() ? std::string("-")
                                                      : fmt::format("{:.2f} x", one->second / other->second);
  };
  fmt::print("\n{:<30}{:>20}\n", "", "time, data mode");
  for (const char* const dtype : {"f32", "f16"})
    for (const char* const tile : {"tile_128", "tile_32x64x32"})
      fmt::print(
          "{:<30}{:>20}  of Eigen's{}\n", fmt::format("GEMM 1024^3 {} {}", dtype, tile),
          ratio(fmt::format("data_gemm_1024_{}_{}", tile, dtype), fmt::format("eigen_gemm_1024_{}", dtype)),
          std::string(dtype) == "f32" ? " (bar <= 1.5 x)" : "");
  fmt::print("{:<30}{:>20}  of timing only\n", "decode opt2, 8192 keys",
             ratio("decode_opt2_8192_data", "decode_opt2_8192_timing"));
}

void print_ratios(const Costs& costs) {
  const auto cost = [&costs](const std::string& name, std::uint64_t pes) {
    const auto found = costs.find({name, pes});
    return found == costs.end() ? 0.0 : found->second;
  };
  fmt::print("\n{:<28}{:>22}{:>26}\n", "", "of the raw limit, 1 PE", "256 PEs : 1 PE, a stage");
  for (const Workload& workload : workloads()) {
    const double one = cost(workload.name, 1);
    const double many = cost(workload.name, kManyPes);
    const double raw = cost(kRaw, 1);
    fmt::print("{:<28}{:>22}{:>26}\n", workload.name,
               one > 0 && raw > 0 ? fmt::format("{:.2f} x", raw / one) : "-",
               one > 0 && many > 0 ? fmt::format("{:.2f} x", many / one) : "-");
  }
  fmt::print("{:<28}{:>22}{:>26}\n", "bar", ">= 0.5 x", "<= 3.5 x");
}

int run_benchmarks(int argc, char* argv[]) {
  Costs costs;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  for (const std::uint64_t pes : kPeCounts) register_raw(pes, costs);
  for (const Workload& workload : workloads())
    for (const std::uint64_t pes : kPeCounts) register_workload(workload, pes, costs);
  register_large_composites(costs);
  register_memory(costs);
  register_data_mode(costs);
  benchmark::RunSpecifiedBenchmarks();
  print_ratios(costs);
  print_data_mode(costs);
  return 0;
}

}  // namespace
}  // namespace petal::bench

int sc_main(int argc, char* argv[]) {
  return petal::bench::run_benchmarks(argc, argv);
}

int main(int argc, char* argv[]) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
  return sc_core::sc_elab_and_sim(argc, argv);
}
