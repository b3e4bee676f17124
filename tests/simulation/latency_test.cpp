// SPDX-License-Identifier: Apache-2.0
//
// How long stages take and how closely they follow each other, on platforms small enough to work out by hand.
#include <boost/test/unit_test.hpp>

#include "support/kernel_bench.hpp"

using namespace petal;
using namespace petal::test;

namespace {

PlatformConfig with_one_channel(double gb_per_s, double latency_ns) {
  PlatformConfig config = with_free_dispatch();
  config.hbm.channels = 1;
  config.hbm.channel_bandwidth = Bandwidth(gb_per_s);
  config.hbm.latency_ns = latency_ns;
  return config;
}

Kernel loads_of_64_bytes(int count) {
  return [count](TlContext& tl) {
    for (int i = 0; i < count; ++i) tl.load(tl.ref(static_cast<std::uint64_t>(i) * 64, {32}, DType::f16));
  };
}

}  // namespace

BOOST_AUTO_TEST_SUITE(latency)

// F40: 64 / 51.2 = 1.25 ns, not 1 and not 2, and no gap between one transfer and the next.
BOOST_AUTO_TEST_CASE(transfers_take_bytes_over_bandwidth_without_rounding_or_gaps) {
  KernelBench bench(with_one_channel(51.2, 0));
  bench.launch(loads_of_64_bytes(1000));
  simulate();
  const std::vector<LoggedStage> reads = bench.log().stages_of_kind(StageKind::dma_read);
  BOOST_TEST_REQUIRE(reads.size() == 1000U);
  for (std::size_t i = 0; i < reads.size(); ++i) {
    BOOST_TEST_REQUIRE(reads[i].start_ps == static_cast<std::int64_t>(i) * 1250);
    BOOST_TEST_REQUIRE(reads[i].end_ps == reads[i].start_ps + 1250);
  }
  BOOST_TEST(bench.end_ps() == 1250000);
}

// F40: with ample bandwidth nothing waits: each transfer is over when its dispatch is.
BOOST_AUTO_TEST_CASE(ample_bandwidth_leaves_no_stalls) {
  PlatformConfig config = with_one_channel(1e9, 0);
  config.pes.front().cost = DispatchCostConfig();
  KernelBench ample(config);
  config.hbm.channel_bandwidth = Bandwidth::unlimited();
  KernelBench unlimited(config);
  ample.launch(loads_of_64_bytes(100));
  unlimited.launch(loads_of_64_bytes(100));
  simulate();
  for (const KernelBench* const bench : {&ample, &unlimited}) {
    const Summary summary = bench->summary();
    BOOST_TEST(summary.time.count() == 100 * 41500);  // 24 bytes: 41.5 cycles
    BOOST_TEST(summary.total.cpu_time(CpuState::queue_full).count() == 0);
    BOOST_TEST(summary.total.cpu_time(CpuState::waiting).count() == 0);
    BOOST_TEST(bench->log().head_waits.empty());
    for (const LoggedStage& stage : bench->log().stages)
      BOOST_TEST(stage.end_ps == bench->log().dispatch_of(stage.command).end_ps);
  }
}

// F40: FETCH 8, FETCH 8, GEMM 16, STORE 8 ns behind a dispatch of 43.375: no slip of a cycle between them.
BOOST_AUTO_TEST_CASE(stages_of_a_composite_follow_without_a_gap) {
  KernelBench bench;
  bench.launch([](TlContext& tl) { gemm_in_tcm(tl, 32, 64, 32); });
  simulate();
  const std::vector<LoggedStage> stages = bench.log().stages_of(1);
  BOOST_TEST_REQUIRE(stages.size() == 4U);
  const std::int64_t ends[] = {51375, 59375, 75375, 83375};
  std::int64_t start = 43375;
  for (std::size_t i = 0; i < 4; ++i) {
    BOOST_TEST(stages[i].start_ps == start);
    BOOST_TEST(stages[i].end_ps == ends[i]);
    start = ends[i];
  }
  BOOST_TEST(bench.end_ps() == 83375);
}

// SPEC 11.17: 128 MACs are 0.03125 cycles in f16 and 0.125 in f32; nothing is rounded up to a cycle.
BOOST_AUTO_TEST_CASE(gemm_takes_macs_over_the_rate_of_the_wider_operand) {
  KernelBench bench(with_free_dispatch());
  bench.launch([](TlContext& tl) {
    const auto multiply = [&](DType a, DType b) {
      CompositeRequest request;
      request.a = tl.empty({4, 8}, a);
      request.b = tl.empty({8, 4}, b);
      tl.composite(request);
    };
    multiply(DType::f16, DType::f16);
    multiply(DType::f32, DType::f16);
    multiply(DType::i8, DType::i8);
  });
  simulate();
  const auto gemm_ps = [&](CompletionId command) {
    return bench.log().stages_of(command, StageKind::gemm).front().duration_ps();
  };
  BOOST_TEST(gemm_ps(1) == 31);  // 31.25
  BOOST_TEST(gemm_ps(2) == 125);
  BOOST_TEST(gemm_ps(3) == 16);  // 15.625
}

// SPEC 11.19, 12.3: a channel is busy for the transfer alone; up to `outstanding` transfers overlap the
// latency. 256 bytes at 32 GB/s are 8 ns: busy 0 to 8 and 8 to 16; the third starts when the first has
// arrived, at 108.
BOOST_AUTO_TEST_CASE(the_memorys_latency_is_overlapped_up_to_the_outstanding_limit) {
  PlatformConfig config = with_one_channel(32, 100);
  config.pes.front().dma.outstanding = 2;
  KernelBench bench(config);
  bench.launch([](TlContext& tl) {
    for (std::uint64_t i = 0; i < 3; ++i) tl.load(tl.ref(i * 256, {128}, DType::f16));
  });
  simulate();
  const std::vector<LoggedStage> reads = bench.log().stages_of_kind(StageKind::dma_read);
  BOOST_TEST_REQUIRE(reads.size() == 3U);
  const std::int64_t starts[] = {0, 8000, 108000};
  for (std::size_t i = 0; i < 3; ++i) {
    BOOST_TEST(reads[i].start_ps == starts[i]);
    BOOST_TEST(reads[i].busy_end_ps == starts[i] + 8000);
    BOOST_TEST(reads[i].end_ps == starts[i] + 108000);
  }
  require_no_violations(bench.op_log());
}

// F29, as far as it concerns time: a transfer is split over pseudo-channels by the true bytes in each
// interleave block, wherever it begins. At address 0xC0, 128 bytes lie 64 in block 0 and 64 in block 1: 2 ns
// each, at once.
BOOST_AUTO_TEST_CASE(a_transfer_across_an_interleave_boundary_uses_both_channels) {
  KernelBench bench(with_free_dispatch());
  bench.launch([](TlContext& tl) {
    tl.load(tl.ref(0xC0, {64}, DType::f16));
    tl.load(tl.ref(0x80, {64}, DType::f16));  // all 128 bytes in block 0: 4 ns
    tl.load(tl.ref(0xFF, {1}, DType::i8));
    tl.load(tl.ref(0xFF, {2}, DType::i8));
  });
  simulate();
  const auto busy_ps = [&](CompletionId command) { return bench.log().stages_of(command).front().busy_ps(); };
  BOOST_TEST(busy_ps(1) == 2000);
  BOOST_TEST(busy_ps(2) == 4000);
  BOOST_TEST(busy_ps(3) == 31);  // 1 / 32 ns
  BOOST_TEST(busy_ps(4) == 31);  // one byte in each of two channels
}

// F42: a command is complete when its last DMA_WRITE has arrived, not when its data was stored.
BOOST_AUTO_TEST_CASE(a_command_completes_with_its_last_dma_write) {
  KernelBench bench;
  bench.launch([](TlContext& tl) {
    CompositeRequest request;
    request.a = tl.empty({40, 8}, DType::f16);
    request.b = tl.empty({8, 40}, DType::f16);
    request.out = tl.ref(0x1000, {40, 40}, DType::f32);
    tl.composite(request);
  });
  simulate();
  BOOST_TEST(bench.log().completion_of(1).at_ps ==
             bench.log().stages_of(1, StageKind::dma_write).back().end_ps);
  BOOST_TEST(bench.log().completion_of(1).at_ps == bench.log().end_of(1));
}

BOOST_AUTO_TEST_SUITE_END()
