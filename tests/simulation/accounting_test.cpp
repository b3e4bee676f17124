// SPDX-License-Identifier: Apache-2.0
//
// The books balance: on every shipped scenario and kernel, and in the JSON that a run writes.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "petal/config/scenario_loader.hpp"
#include "petal/host/kernels/kernel_catalog.hpp"
#include "petal/observe/summary_json.hpp"
#include "support/scenario_bench.hpp"

using namespace petal;
using namespace petal::test;

namespace {

/// Counts without keeping, for runs of a million stages.
class Counter : public Observer {
 public:
  std::uint64_t dispatched = 0;
  std::uint64_t completed = 0;
  bool paths_end_at_completions = true;

  void on_dispatch(const DispatchEvent&) override { ++dispatched; }
  void on_complete(const CompleteEvent& event) override {
    ++completed;
    paths_end_at_completions = paths_end_at_completions && event.path.total() == event.at;
  }
};

struct ShippedRun {
  std::string name;
  ScenarioConfig config;
  std::unique_ptr<ScenarioRun> run;
  std::unique_ptr<Counter> counter;
};

/// Every file of configs/, by its own kernel and, if it has one, by those of its `compare`.
std::vector<ShippedRun> shipped_runs() {
  std::vector<ShippedRun> runs;
  for (const auto& file : std::filesystem::directory_iterator(PETAL_SHIPPED_SCENARIOS)) {
    if (file.path().extension() != ".yaml") continue;
    const ScenarioConfig config = load_scenario(file.path().string());
    // A list of launches has a kernel for each.
    std::vector<std::optional<std::string>> kernels = {config.kernel};
    if (config.kernel && find_kernel(*config.kernel).family() == KernelFamily::decode) {
      const std::vector<std::string> all = decode_kernels();
      kernels.assign(all.begin(), all.end());
    }
    for (const std::optional<std::string>& kernel : kernels) {
      ScenarioOptions options;
      options.kernel = kernel;
      ShippedRun shipped{file.path().filename().string() + " " + kernel.value_or("launches"), config, nullptr,
                         std::make_unique<Counter>()};
      shipped.run = std::make_unique<ScenarioRun>(sc_core::sc_gen_unique_name("shipped"), config, options);
      shipped.run->platform().attach(*shipped.counter);
      runs.push_back(std::move(shipped));
    }
  }
  return runs;
}

void require_balance(const ShippedRun& shipped, const Summary& summary) {
  BOOST_TEST(summary.critical_path.total().count() == summary.time.count());
  BOOST_TEST(shipped.counter->paths_end_at_completions);
  BOOST_TEST(shipped.counter->completed == shipped.counter->dispatched);
  Totals total;
  for (std::size_t index = 0; index < summary.pes.size(); ++index) {
    const Totals& pe = summary.pes[index].totals;
    total += pe;
    Picoseconds cpu{0};
    for (const Picoseconds state : pe.cpu) cpu += state;
    BOOST_TEST(cpu.count() == summary.time.count());
    for (const EngineTotals& engine : pe.engines) BOOST_TEST(engine.busy.count() <= summary.time.count());
    const DispatchCostConfig& cost = shipped.config.platform.pes[index].cost;
    BOOST_TEST(pe.dispatch.cycles.count() ==
               static_cast<double>(pe.dispatch.commands) * cost.fixed_per_cmd_cycles +
                   static_cast<double>(pe.dispatch.logical_bytes.count()) * cost.byte_cycles_recip);
  }
  BOOST_TEST(total.macs == shipped.run->macs());
  BOOST_TEST(total.dispatch.commands == summary.total.dispatch.commands);
  BOOST_TEST(total.dma_read.count() == summary.total.dma_read.count());
}

nlohmann::json summary_of(const ScenarioBench& bench) {
  return nlohmann::json(summary_json(bench.summary()));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(accounting)

// SPEC 11.10, 11.22: the CPU's states add up to the time of the run, and the critical path's causes too.
BOOST_AUTO_TEST_CASE(cpu_states_and_critical_path_add_up_on_every_shipped_scenario) {
  const std::vector<ShippedRun> runs = shipped_runs();
  BOOST_TEST(runs.size() >= 5U);
  simulate();
  for (const ShippedRun& shipped : runs) BOOST_TEST_CONTEXT(shipped.name) {
      require_balance(shipped, shipped.run->summary());
    }
}

// The same under back-pressure, kernel cycles, planning, a shared memory, and a clock that is no whole
// number.
BOOST_AUTO_TEST_CASE(cpu_states_and_critical_path_add_up_under_every_kind_of_wait) {
  std::vector<std::unique_ptr<ScenarioBench>> benches;
  for (const std::string& kernel : decode_kernels())
    for (const std::vector<std::string>& sets : std::vector<std::vector<std::string>>{
             {"max_composite_logical_bytes=128", "queue_bytes=128", "auto_await=none"},
             {"plan_cycles_per_op=7", "max_in_flight=2", "clock_freq_ghz=1.3"},
             {"compute_slot=shared", "outstanding=1", "tile_buffers=1", "auto_await=all"}})
      benches.push_back(std::make_unique<ScenarioBench>(small_decode(200, sets), kernel));
  benches.push_back(std::make_unique<ScenarioBench>(
      shipped_scenario("llama3_8b_decode_shared_hbm.yaml", {"kv_len=200", "hbm.channels=1"}),
      "gqa_decode_opt3"));
  simulate();
  for (const auto& bench : benches) {
    const Summary summary = bench->summary();
    BOOST_TEST(summary.critical_path.total().count() == summary.time.count());
    for (const PeSummary& pe : summary.pes) {
      Picoseconds cpu{0};
      for (const Picoseconds state : pe.totals.cpu) cpu += state;
      BOOST_TEST(cpu.count() == summary.time.count());
    }
  }
}

// ADR-0064 test 3: what the YAML says is what is charged, what it does not say is the default, and the
// summary shows both.
BOOST_AUTO_TEST_CASE(the_cost_model_is_overridden_by_yaml_and_absent_keys_are_defaults) {
  const std::string work =
      "kernel: gqa_decode_opt2\nq_heads: 4\nkv_heads: 1\nhead_dim: 16\nkv_len: 16\ntile: 8\n";
  const auto bench = [&](const std::string& platform) {
    return std::make_unique<ScenarioBench>(scenario_from_text(work + platform), "gqa_decode_opt2");
  };
  const auto absent = bench("");
  const auto empty = bench("platform: {pe: {attrs: {pe_cost_model: {}}}}\n");
  const auto partly = bench("platform: {pe: {attrs: {pe_cost_model: {fixed_per_cmd_cycles: 12}}}}\n");
  const auto all = bench(
      "platform: {pe: {attrs: {clock_freq_ghz: 2, pe_cost_model: {fixed_per_cmd_cycles: 8,\n"
      "  byte_cycles_recip: 0.5, max_composite_logical_bytes: 256}}}}\n");
  simulate();
  struct Expected {
    const ScenarioBench* bench;
    double fixed;
    double recip;
    std::uint64_t cap;
  };
  for (const Expected& expected :
       {Expected{absent.get(), 40, 0.0625, 1024}, Expected{empty.get(), 40, 0.0625, 1024},
        Expected{partly.get(), 12, 0.0625, 1024}, Expected{all.get(), 8, 0.5, 256}}) {
    const nlohmann::json summary = summary_of(*expected.bench);
    const nlohmann::json& model = summary["config"]["platform"]["pe"]["attrs"]["pe_cost_model"];
    BOOST_TEST(model["fixed_per_cmd_cycles"].get<double>() == expected.fixed);
    BOOST_TEST(model["byte_cycles_recip"].get<double>() == expected.recip);
    BOOST_TEST(model["max_composite_logical_bytes"].get<std::uint64_t>() == expected.cap);
    const nlohmann::json& dispatch = summary["total"]["dispatch"];
    const double commands = dispatch["commands"].get<double>();
    const double bytes = dispatch["logical_bytes"].get<double>();
    BOOST_TEST(dispatch["cycles"].get<double>() == commands * expected.fixed + bytes * expected.recip);
    // What is issued does not depend on what it costs.
    BOOST_TEST(bytes == summary_of(*absent)["total"]["dispatch"]["logical_bytes"].get<double>());
  }
  // Cut at 256, each of the two tiles' second composites is two commands.
  BOOST_TEST(summary_of(*all)["total"]["dispatch"]["commands"].get<int>() ==
             summary_of(*absent)["total"]["dispatch"]["commands"].get<int>() + 2);
}

BOOST_AUTO_TEST_SUITE_END()
