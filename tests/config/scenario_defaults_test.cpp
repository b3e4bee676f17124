// SPDX-License-Identifier: Apache-2.0
//
// What a scenario that says nothing gets: the defaults of the design record and of the specification, by
// hand.
#include <boost/test/unit_test.hpp>

#include "petal/config/scenario_loader.hpp"

namespace petal {
namespace {

ScenarioConfig defaults() {
  return scenario_from_text("{}");
}

BOOST_AUTO_TEST_SUITE(scenario_defaults)

BOOST_AUTO_TEST_CASE(dispatch_costs_40_cycles_and_a_sixteenth_a_byte_up_to_1024_bytes) {
  const DispatchCostConfig cost = defaults().platform.pes.at(0).cost;
  BOOST_TEST(cost.fixed_per_cmd_cycles == 40.0);
  BOOST_TEST(cost.byte_cycles_recip == 0.0625);
  BOOST_TEST(cost.max_composite_logical_bytes == 1024U);
}

BOOST_AUTO_TEST_CASE(the_cpu_awaits_primitives_and_queues_four_caps) {
  const PeConfig pe = defaults().platform.pes.at(0);
  BOOST_TEST((pe.cpu.auto_await == AutoAwait::primitive));
  BOOST_TEST(pe.cpu.queue_bytes.count() == 4096U);
  BOOST_TEST(pe.clock.gigahertz() == 1.0);
}

BOOST_AUTO_TEST_CASE(the_scheduler_has_tiles_of_32_64_32_a_window_of_8_and_4_buffers) {
  const PeSchedulerConfig scheduler = defaults().platform.pes.at(0).scheduler;
  BOOST_TEST(scheduler.gemm_tile.m == 32U);
  BOOST_TEST(scheduler.gemm_tile.k == 64U);
  BOOST_TEST(scheduler.gemm_tile.n == 32U);
  BOOST_TEST(scheduler.max_in_flight == 8U);
  BOOST_TEST(scheduler.tile_buffers == 4U);
  BOOST_TEST(scheduler.plan_cycles_per_op == 0.0);
  BOOST_TEST(!scheduler.math_head_streaming);
}

BOOST_AUTO_TEST_CASE(the_engines_are_all_there_and_separate) {
  const PeConfig pe = defaults().platform.pes.at(0);
  BOOST_TEST((pe.engines.dma && pe.engines.fetch_store && pe.engines.gemm && pe.engines.math));
  BOOST_TEST((pe.compute_slot == ComputeSlot::separate));
  BOOST_TEST(pe.dma.setup_cycles == 0.0);
  BOOST_TEST(pe.dma.outstanding == 8U);
  BOOST_TEST(pe.fetch_store.read.gb_per_s() == 512.0);
  BOOST_TEST(pe.fetch_store.write.gb_per_s() == 512.0);
  BOOST_TEST(pe.fetch_store.setup_cycles == 0.0);
}

BOOST_AUTO_TEST_CASE(the_compute_engines_have_the_rates_of_the_specification) {
  const PeConfig pe = defaults().platform.pes.at(0);
  BOOST_TEST((pe.gemm.model == GemmModel::throughput));
  BOOST_TEST(pe.gemm.macs_per_cycle_f32 == 1024.0);
  BOOST_TEST(pe.gemm.macs_per_cycle_f16 == 4096.0);
  BOOST_TEST(pe.gemm.macs_per_cycle_8bit == 8192.0);
  BOOST_TEST(pe.gemm.m_quantum == 1U);
  BOOST_TEST(pe.gemm.array.rows == 64U);
  BOOST_TEST(pe.gemm.array.cols == 64U);
  BOOST_TEST((pe.gemm.array.dataflow == Dataflow::output_stationary));
  BOOST_TEST((pe.gemm.array.preload == Preload::exposed));
  BOOST_TEST(pe.math.lanes == 64U);
  BOOST_TEST(pe.math.startup_cycles == 4.0);
  BOOST_TEST(pe.math.fast_cycles == 1.0);
  BOOST_TEST(pe.math.slow_cycles == 4.0);
}

BOOST_AUTO_TEST_CASE(the_memories_are_1_mib_of_tcm_and_16_gib_of_hbm_a_pe) {
  const PlatformConfig platform = defaults().platform;
  BOOST_TEST(platform.pes.size() == 1U);
  BOOST_TEST(platform.pes.at(0).name == "pe0");
  BOOST_TEST(platform.pes.at(0).tcm.arena.count() == 1048576U);
  BOOST_TEST((platform.hbm.scope == HbmScope::per_pe));
  BOOST_TEST(platform.hbm.channels == 8U);
  BOOST_TEST(platform.hbm.channel_bandwidth.gb_per_s() == 32.0);
  BOOST_TEST(platform.hbm.efficiency == 1.0);
  BOOST_TEST(platform.hbm.interleave_bytes == 256U);
  BOOST_TEST((platform.hbm.interleave == HbmInterleave::xor_fold));
  BOOST_TEST(platform.hbm.latency_ns == 100.0);
  BOOST_TEST(platform.hbm.capacity.count() == 17179869184U);
}

BOOST_AUTO_TEST_CASE(a_scenario_has_one_launch_and_compares_three_kernels) {
  const ScenarioConfig config = defaults();
  BOOST_TEST(!config.kernel.has_value());
  BOOST_TEST(config.launches.size() == 1U);
  const std::vector<std::string> compared{"gqa_decode_opt1", "gqa_decode_opt3", "gqa_decode_opt2"};
  BOOST_TEST(config.compare == compared, boost::test_tools::per_element());
  BOOST_TEST(config.dispatch_preset == "none");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
