// SPDX-License-Identifier: Apache-2.0
//
// ADR-0064 test 6, F26, F27, F36: the same input gives the same op_log, byte for byte, however the platform
// was put together and whatever runs beside it. tests/cli compares processes, tests/golden compares builds.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <numeric>

#include "support/kernel_bench.hpp"
#include "support/scenario_bench.hpp"

using namespace petal;
using namespace petal::test;

namespace {

/// Four PEs that contend for one memory, three heads each of two and one each of the others.
ScenarioConfig contended_decode() {
  return shipped_scenario("llama3_8b_decode_shared_hbm.yaml",
                          {"platform.pes=4", "q_heads=24", "kv_heads=6", "kv_len=150", "hbm.channels=2"});
}

std::vector<PeBuildOrder> all_build_orders() {
  std::vector<PeBuildOrder> orders;
  PeBuildOrder order = default_build_order();
  std::sort(order.begin(), order.end());
  do orders.push_back(order);
  while (std::next_permutation(order.begin(), order.end()));
  return orders;
}

/// Ready at one instant: two loads of equal size, and on both engines two ops behind them.
void simultaneous_work(TlContext& tl) {
  std::vector<TensorHandle> loaded;
  for (std::uint64_t i = 0; i < 4; ++i) loaded.push_back(tl.load(tl.ref(0x1000 * i, {32, 32}, DType::f16)));
  for (const TensorHandle& tensor : loaded) {
    tl.neg(tensor);
    tl.dot(tensor, tensor);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(determinism)

BOOST_AUTO_TEST_CASE(two_runs_give_one_log) {
  std::vector<std::unique_ptr<ScenarioBench>> first;
  std::vector<std::unique_ptr<ScenarioBench>> second;
  for (const std::string& kernel : decode_kernels()) {
    first.push_back(std::make_unique<ScenarioBench>(contended_decode(), kernel));
    second.push_back(std::make_unique<ScenarioBench>(contended_decode(), kernel));
  }
  simulate();
  for (std::size_t i = 0; i < first.size(); ++i) {
    require_same_text(second[i]->op_log(), first[i]->op_log(), decode_kernels()[i]);
    require_no_violations(first[i]->op_log());
  }
}

// Running ahead of SystemC's clock changes nothing, with memories of their own, a shared one, segments and
// launches.
BOOST_AUTO_TEST_CASE(lockstep_and_run_ahead_give_one_log) {
  PlatformOptions lockstep;
  lockstep.pacing = Pacing::lockstep;
  std::vector<std::pair<std::unique_ptr<ScenarioBench>, std::unique_ptr<ScenarioBench>>> runs;
  const auto add = [&](const ScenarioConfig& config, const std::string& kernel) {
    runs.emplace_back(std::make_unique<ScenarioBench>(config, kernel),
                      std::make_unique<ScenarioBench>(config, kernel, lockstep));
  };
  for (const std::string& kernel : decode_kernels()) {
    add(contended_decode(), kernel);
    add(small_decode(200, {"max_composite_logical_bytes=68", "queue_bytes=128", "auto_await=none"}), kernel);
    add(small_decode(200, {"plan_cycles_per_op=3", "clock_freq_ghz=1.3"}), kernel);
  }
  add(shipped_scenario("gemm_worked_example.yaml", {"platform.pes=2", "hbm.scope=shared"}), "gemm");
  simulate();
  for (const auto& [ahead, locked] : runs) require_same_text(locked->op_log(), ahead->op_log(), "lockstep");
}

// F27, F36: CPU, scheduler and engines in all 720 orders. The program is there at time 0, before or after the
// others have run for the first time.
BOOST_AUTO_TEST_CASE(every_build_order_gives_one_log) {
  const std::vector<PeBuildOrder> orders = all_build_orders();
  BOOST_TEST_REQUIRE(orders.size() == 720U);
  std::vector<std::unique_ptr<KernelBench>> benches;
  for (const PeBuildOrder& order : orders) {
    PlatformOptions options;
    options.build_order = order;
    PlatformConfig config = with_free_dispatch();
    config.pes.front().cpu.auto_await = AutoAwait::none;
    benches.push_back(std::make_unique<KernelBench>(config, options));
    benches.back()->launch(simultaneous_work);
  }
  simulate();
  const std::string expected = benches.front()->op_log();
  require_no_violations(expected);
  for (std::size_t i = 1; i < benches.size(); ++i)
    require_same_text(benches[i]->op_log(), expected, "build order " + std::to_string(i));
}

// The same with PEs that meet at a shared memory; every 31st order, in both pacings.
BOOST_AUTO_TEST_CASE(pes_at_a_shared_memory_give_one_log_in_any_build_order) {
  const std::vector<PeBuildOrder> orders = all_build_orders();
  std::vector<std::unique_ptr<ScenarioBench>> benches;
  for (std::size_t i = 0; i < orders.size(); i += 31)
    for (const Pacing pacing : {Pacing::run_ahead, Pacing::lockstep})
      benches.push_back(std::make_unique<ScenarioBench>(contended_decode(), "gqa_decode_opt2",
                                                        PlatformOptions{pacing, orders[i]}));
  simulate();
  const std::string expected = benches.front()->op_log();
  for (std::size_t i = 1; i < benches.size(); ++i)
    require_same_text(benches[i]->op_log(), expected, "build " + std::to_string(i));
}

// At one instant ties go to the lower command, on every port.
BOOST_AUTO_TEST_CASE(ties_go_to_the_lower_command) {
  PlatformConfig config = with_free_dispatch();
  config.pes.front().cpu.auto_await = AutoAwait::none;
  KernelBench bench(config);
  bench.launch([](TlContext& tl) {
    for (int i = 0; i < 4; ++i) tl.neg(tl.empty({64}));
  });
  simulate();
  for (const StageKind kind : {StageKind::fetch, StageKind::math, StageKind::store}) {
    const std::vector<LoggedStage> stages = bench.log().stages_of_kind(kind);
    BOOST_TEST_REQUIRE(stages.size() == 4U);
    for (std::size_t i = 0; i < 4; ++i) BOOST_TEST(stages[i].command == i + 1);
  }
  // All four FETCHes, of 256 / 512 = 0.5 ns, were ready at 0.
  BOOST_TEST(bench.log().stages_of(4).front().start_ps == 1500);
}

// A reader of the event stream changes nothing: with two logs attached, or none but the summary's.
BOOST_AUTO_TEST_CASE(readers_change_nothing) {
  const ScenarioConfig config = contended_decode();
  ScenarioOptions quiet;
  quiet.kernel = "gqa_decode_opt3";
  ScenarioRun without_log("without_log", config, quiet);
  ScenarioBench with_logs(config, "gqa_decode_opt3");
  simulate();
  const Summary a = without_log.summary();
  const Summary b = with_logs.summary();
  BOOST_TEST(a.time.count() == b.time.count());
  BOOST_TEST(a.total.dispatch.cycles.count() == b.total.dispatch.cycles.count());
  for (std::size_t port = 0; port < kEnginePorts; ++port)
    BOOST_TEST(a.total.engines[port].busy.count() == b.total.engines[port].busy.count());
}

BOOST_AUTO_TEST_SUITE_END()
