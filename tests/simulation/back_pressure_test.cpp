// SPDX-License-Identifier: Apache-2.0
//
// The command queue's capacity is bytes; a full queue blocks PE_CPU, and that can be seen (SPEC 4).
#include <boost/test/unit_test.hpp>

#include "support/kernel_bench.hpp"
#include "support/scenario_bench.hpp"

using namespace petal;
using namespace petal::test;

BOOST_AUTO_TEST_SUITE(back_pressure)

// 128 bytes hold two commands of 54. One command at a time runs for FETCH 8 + FETCH 8 + GEMM 16 + STORE 8 =
// 40 ns (32 x 64 and 64 x 32 f16 at 512 GB/s, 65536 MACs at 4096 a cycle, 32 x 32 f32). All five are issued
// at 0: the first is taken, two wait in the queue, the fourth gets in at 40 ns and the fifth at 80 ns.
BOOST_AUTO_TEST_CASE(a_full_queue_holds_the_cpu_until_its_head_is_taken) {
  PlatformConfig config = with_free_dispatch();
  PeConfig& pe = config.pes.front();
  pe.cost.max_composite_logical_bytes = 128;
  pe.cpu.queue_bytes = Bytes(128);
  pe.scheduler.max_in_flight = 1;
  KernelBench bench(config);
  bench.launch([](TlContext& tl) {
    for (int i = 0; i < 5; ++i) gemm_in_tcm(tl, 32, 64, 32);
  });
  simulate();
  const std::vector<LoggedWait>& waits = bench.log().queue_waits;
  BOOST_TEST_REQUIRE(waits.size() == 2U);
  BOOST_TEST(waits[0].command == 4U);
  BOOST_TEST(waits[0].start_ps == 0);
  BOOST_TEST(waits[0].end_ps == 40000);
  BOOST_TEST(waits[1].command == 5U);
  BOOST_TEST(waits[1].start_ps == 40000);
  BOOST_TEST(waits[1].end_ps == 80000);
  const Summary summary = bench.summary();
  BOOST_TEST(summary.time.count() == 200000);
  BOOST_TEST(summary.total.cpu_time(CpuState::queue_full).count() == 80000);
  BOOST_TEST(summary.total.cpu_time(CpuState::waiting).count() == 120000);
  BOOST_TEST(summary.pes.front().peak_queue_bytes == 108U);
  BOOST_TEST(summary.pes.front().peak_queue_entries == 2U);
  require_no_violations(bench.op_log());
}

// F07 (b): eight commands through a queue of two before anybody waits for one; all complete.
BOOST_AUTO_TEST_CASE(a_queue_of_two_commands_passes_eight) {
  PlatformConfig config;
  config.pes.front().cost.max_composite_logical_bytes = 108;
  config.pes.front().cpu.queue_bytes = Bytes(108);
  config.pes.front().gemm.macs_per_cycle_f16 = 1.0;
  KernelBench bench(config);
  bench.launch([](TlContext& tl) {
    std::vector<TensorHandle> results;
    for (int i = 0; i < 8; ++i) results.push_back(gemm_in_tcm(tl, 8, 8, 8));
    for (const TensorHandle& result : results) tl.wait(result);
  });
  simulate();
  BOOST_CHECK_NO_THROW(bench.platform().finish());
  BOOST_TEST_REQUIRE(bench.log().completions.size() == 8U);
  for (std::size_t i = 0; i < 8; ++i) BOOST_TEST(bench.log().completions[i].command == i + 1);
  require_no_violations(bench.op_log());
}

// The CPU does not wait for inputs and the queue holds 128 bytes: it fills whenever the memory's 100 ns keep
// a command, and the same work is done as with room enough.
BOOST_AUTO_TEST_CASE(opt1_without_awaits_in_128_bytes_is_held_up_and_finishes) {
  const std::vector<std::string> small_queue = {"auto_await=none", "max_composite_logical_bytes=128",
                                                "queue_bytes=128", "latency_ns=100"};
  ScenarioBench held(small_decode(512, small_queue), "gqa_decode_opt1");
  ScenarioBench with_room(small_decode(512, {"auto_await=none"}), "gqa_decode_opt1");
  simulate();
  const Summary held_summary = held.summary();
  const Summary summary = with_room.summary();
  BOOST_TEST(held_summary.total.cpu_time(CpuState::queue_full).count() > 0);
  BOOST_TEST(!held.log().queue_waits.empty());
  BOOST_TEST(held_summary.pes.front().peak_queue_bytes <= 128U);
  BOOST_TEST(held.log().completions.size() == held.log().dispatched());
  BOOST_TEST(held.log().dispatched() == with_room.log().dispatched());
  BOOST_TEST(held_summary.total.macs == summary.total.macs);
  BOOST_TEST(held_summary.total.dma_read.count() == summary.total.dma_read.count());
  BOOST_TEST(held_summary.total.dma_write.count() == summary.total.dma_write.count());
  for (std::size_t i = 0; i < held.log().completions.size(); ++i) {
    const CompletionId command = held.log().completions[i].command;
    BOOST_TEST(names_in_plan_order(held.log().stages_of(command)) ==
                   names_in_plan_order(with_room.log().stages_of(command)),
               boost::test_tools::per_element());
  }
  require_no_violations(held.op_log());
}

BOOST_AUTO_TEST_SUITE_END()
