// SPDX-License-Identifier: Apache-2.0
//
// Several launches with a barrier between them, and PEs that differ (SPEC 11.20).
#include <boost/test/unit_test.hpp>

#include "petal/config/scenario_loader.hpp"
#include "support/kernel_bench.hpp"
#include "support/scenario_bench.hpp"

using namespace petal;
using namespace petal::test;

namespace {

PlatformConfig with_two_pes() {
  PlatformConfig config;
  config.pes.push_back(config.pes.front());
  config.pes.back().name = "pe1";
  return config;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(launches)

// PE 0 is done after 10 cycles, PE 1 after 1000; both begin the second launch at 1000, and ids go on.
BOOST_AUTO_TEST_CASE(all_pes_start_a_launch_when_the_one_before_is_over_on_every_pe) {
  KernelBench bench(with_two_pes());
  bench.launch([](TlContext& tl) { tl.cycles(tl.program_id() == 0 ? 10 : 1000); });
  bench.launch([](TlContext& tl) { tl.wait(gemm_in_tcm(tl, 32, 64, 32)); });
  bench.launch([](TlContext& tl) { gemm_in_tcm(tl, 32, 64, 32); });
  simulate();
  const Summary summary = bench.summary();
  // A launch of one composite: 43.375 + 40 ns.
  BOOST_TEST(summary.time.count() == 1000000 + 2 * 83375);
  std::vector<std::pair<PeIndex, std::int64_t>> starts;
  for (const LoggedDispatch& dispatch : bench.log().dispatches)
    if (!dispatch.is_overhead()) {
      starts.emplace_back(dispatch.pe, dispatch.start_ps);
      BOOST_TEST(dispatch.command == (dispatch.start_ps == 1000000 ? 1U : 2U));
    }
  std::sort(starts.begin(), starts.end());
  const std::vector<std::pair<PeIndex, std::int64_t>> expected = {
      {0, 1000000}, {0, 1083375}, {1, 1000000}, {1, 1083375}};
  BOOST_TEST((starts == expected));
  // What PE 0 does until PE 1 is done is idling.
  BOOST_TEST(summary.pes[0].totals.cpu_time(CpuState::idle).count() == 990000);
  BOOST_TEST(summary.pes[1].totals.cpu_time(CpuState::idle).count() == 0);
  require_no_violations(bench.op_log());
}

// The critical path crosses the barrier: PE 1's kernel cycles, then the two composites of PE 0 (the first of
// equals).
BOOST_AUTO_TEST_CASE(the_critical_path_goes_on_across_the_barrier) {
  KernelBench bench(with_two_pes());
  bench.launch([](TlContext& tl) { tl.cycles(tl.program_id() == 0 ? 10 : 1000); });
  bench.launch([](TlContext& tl) { gemm_in_tcm(tl, 32, 64, 32); });
  simulate();
  const Summary summary = bench.summary();
  BOOST_TEST(summary.critical_path.total().count() == summary.time.count());
  BOOST_TEST(summary.critical_path.spent(PathCause::overhead).count() == 1000000);
  BOOST_TEST(summary.critical_path.spent(PathCause::dispatch).count() == 43375);
  BOOST_TEST(summary.critical_path.spent(PathCause::gemm).count() == 16000);
  BOOST_TEST(summary.critical_path.spent(PathCause::fetch_store).count() == 24000);
}

// F24: a batch of contexts, two of them empty, as launches of one scenario.
BOOST_AUTO_TEST_CASE(a_batch_with_empty_contexts_completes) {
  const std::string text =
      "kernel: gqa_decode_opt2\n"
      "q_heads: 4\n"
      "kv_heads: 2\n"
      "head_dim: 16\n"
      "tile: 4\n"
      "launches: [{kv_len: 0}, {kv_len: 1}, {kv_len: 0}, {kv_len: 5}]\n"
      "platform: {pes: 2}\n";
  std::vector<std::unique_ptr<ScenarioBench>> benches;
  for (const std::string& kernel : decode_kernels())
    benches.push_back(std::make_unique<ScenarioBench>(scenario_from_text(text), kernel));
  simulate();
  for (const auto& bench : benches) {
    const Summary summary = bench->summary();
    BOOST_TEST(summary.tiles == 2U * (0 + 1 + 0 + 2));
    // Four times Q, [4, 16] f16, and six keys of K and V for each of two heads.
    BOOST_TEST(summary.total.dma_read.count() == 4U * 128 + 2 * 6 * 2 * 32);
    BOOST_TEST(summary.total.dma_write.count() == 4U * 256);
    require_no_violations(bench->op_log());
  }
}

// A PE may have a clock and costs of its own.
BOOST_AUTO_TEST_CASE(pes_may_differ) {
  PlatformConfig config = with_two_pes();
  config.pes[1].clock = ClockFrequency(2.0);
  config.pes[1].cost.fixed_per_cmd_cycles = 10;
  KernelBench bench(config);
  bench.launch([](TlContext& tl) { gemm_in_tcm(tl, 4, 8, 4); });
  simulate();
  const Summary summary = bench.summary();
  BOOST_TEST(summary.pes[0].totals.dispatch.cycles.count() == 43.375);
  BOOST_TEST(summary.pes[0].totals.cpu_time(CpuState::dispatching).count() == 43375);
  BOOST_TEST(summary.pes[1].totals.dispatch.cycles.count() == 13.375);
  BOOST_TEST(summary.pes[1].totals.cpu_time(CpuState::dispatching).count() == 6688);  // 6687.5
  require_no_violations(bench.op_log());
}

// SPEC 11.20: more PEs than KV heads: the rest idle.
BOOST_AUTO_TEST_CASE(pes_without_a_head_idle) {
  ScenarioBench bench(
      shipped_scenario("llama3_8b_decode.yaml", {"platform.pes=4", "q_heads=8", "kv_heads=2", "kv_len=64"}),
      "gqa_decode_opt2");
  simulate();
  const Summary summary = bench.summary();
  for (std::size_t index = 0; index < 4; ++index) {
    const Totals& totals = summary.pes[index].totals;
    BOOST_TEST((totals.dispatch.commands > 0) == (index < 2));
    if (index >= 2) BOOST_TEST(totals.cpu_time(CpuState::idle).count() == summary.time.count());
  }
}

BOOST_AUTO_TEST_SUITE_END()
