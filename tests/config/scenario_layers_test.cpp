// SPDX-License-Identifier: Apache-2.0
//
// Which of several sources of a value wins.
#include <boost/test/unit_test.hpp>

#include "petal/config/scenario_loader.hpp"

namespace petal {
namespace {

const std::string kTwoPes =
    "platform:\n"
    "  pe: {attrs: {clock_freq_ghz: 1.3}}\n"
    "  pes:\n"
    "    - {name: big, attrs: {clock_freq_ghz: 2}}\n"
    "    - {name: 'off', engines: [dma, fetch_store, math], compute_slot: shared}\n";

BOOST_AUTO_TEST_SUITE(scenario_layers)

BOOST_AUTO_TEST_CASE(a_count_makes_equal_pes_with_numbered_names) {
  const auto pes = scenario_from_text("platform: {pes: 3, pe: {attrs: {clock_freq_ghz: 0.5}}}").platform.pes;
  BOOST_REQUIRE(pes.size() == 3U);
  BOOST_TEST(pes[2].name == "pe2");
  BOOST_TEST(pes[2].clock.gigahertz() == 0.5);
}

BOOST_AUTO_TEST_CASE(an_entry_of_the_list_is_merged_over_the_common_keys) {
  const auto pes = scenario_from_text(kTwoPes).platform.pes;
  BOOST_REQUIRE(pes.size() == 2U);
  BOOST_TEST(pes[0].name == "big");
  BOOST_TEST(pes[0].clock.gigahertz() == 2.0);
  BOOST_TEST(pes[0].engines.gemm);
  BOOST_TEST(pes[1].name == "off");
  BOOST_TEST(pes[1].clock.gigahertz() == 1.3);
  BOOST_TEST(!pes[1].engines.gemm);
  BOOST_TEST(pes[1].engines.math);
  BOOST_TEST((pes[1].compute_slot == ComputeSlot::shared));
}

BOOST_AUTO_TEST_CASE(a_set_reaches_listed_pes_that_do_not_say_otherwise) {
  const auto pes = scenario_from_text(kTwoPes, {"platform.pe.attrs.clock_freq_ghz=4"}).platform.pes;
  BOOST_TEST(pes[0].clock.gigahertz() == 2.0);
  BOOST_TEST(pes[1].clock.gigahertz() == 4.0);
}

BOOST_AUTO_TEST_CASE(a_boolean_word_is_a_name_where_a_name_is_due) {
  BOOST_TEST(scenario_from_text("platform: {pes: [{name: off}]}").platform.pes[0].name == "off");
  BOOST_TEST(scenario_from_text("platform: {pes: [{name: 7}]}").platform.pes[0].name == "7");
}

BOOST_AUTO_TEST_CASE(the_queue_follows_the_cap_unless_it_is_given) {
  const auto queue = [](const std::string& attrs) {
    return scenario_from_text("platform: {pe: {attrs: {" + attrs + "}}}")
        .platform.pes[0]
        .cpu.queue_bytes.count();
  };
  BOOST_TEST(queue("pe_cost_model: {max_composite_logical_bytes: 2048}") == 8192U);  // 4 x 2048
  BOOST_TEST(queue("pe_cost_model: {max_composite_logical_bytes: 1}") == 64U);       // the least there is
  BOOST_TEST(queue("pe_cost_model: {max_composite_logical_bytes: 128}, pe_cpu: {queue_bytes: 128}") == 128U);
}

BOOST_AUTO_TEST_CASE(a_key_wins_over_the_model_beside_it) {
  const WorkloadConfig work = scenario_from_text("model: llama3.2-1b\nq_heads: 16").workload;
  BOOST_TEST(work.q_heads == 16U);
  BOOST_TEST(work.kv_heads == 8U);
  BOOST_TEST(work.head_dim == 64U);
}

BOOST_AUTO_TEST_CASE(a_model_on_the_command_line_wins_over_the_file) {
  BOOST_TEST(scenario_from_text("q_heads: 16", {"model=llama3.1-70b"}).workload.q_heads == 64U);
}

BOOST_AUTO_TEST_CASE(launches_are_merged_over_the_root) {
  const ScenarioConfig config = scenario_from_text(
      "kernel: opt2\nkv_len: 100\n"
      "launches:\n  - {kv_len: 200}\n  - {kernel: gemm, gemm: {m: 8}, dtype: f32}\n  - {model: "
      "llama3.2-1b}\n");
  BOOST_REQUIRE(config.launches.size() == 3U);
  BOOST_TEST(config.launches[0].kernel.value() == "opt2");
  BOOST_TEST(config.launches[0].workload.kv_len == 200U);
  BOOST_TEST(config.launches[1].kernel.value() == "gemm");
  BOOST_TEST(config.launches[1].workload.kv_len == 100U);
  BOOST_TEST(config.launches[1].workload.gemm.m == 8U);
  BOOST_TEST((config.launches[1].workload.gemm.out_dtype == DType::f32));
  BOOST_TEST(config.launches[2].workload.head_dim == 64U);
  BOOST_TEST(config.workload.kv_len == 100U);
}

BOOST_AUTO_TEST_CASE(without_launches_there_is_one_of_the_roots_keys) {
  const ScenarioConfig config = scenario_from_text("kernel: gemm\ngemm: {k: 0}");
  BOOST_REQUIRE(config.launches.size() == 1U);
  BOOST_TEST(config.launches[0].kernel.value() == "gemm");
  BOOST_TEST(config.launches[0].workload.gemm.k == 0U);
}

BOOST_AUTO_TEST_CASE(a_products_type_follows_the_workloads_unless_it_is_given) {
  const auto out = [](const std::string& text) { return scenario_from_text(text).workload.gemm.out_dtype; };
  BOOST_TEST((out("dtype: bf16") == DType::bf16));
  BOOST_TEST((out("dtype: i8") == DType::i32));
  BOOST_TEST((out("dtype: i8\ngemm: {out_dtype: f32}") == DType::f32));
}

BOOST_AUTO_TEST_CASE(unlimited_is_a_rate) {
  const ScenarioConfig config = scenario_from_text(
      "platform: {pe: {attrs: {pe_gemm: {macs_per_cycle_f16: unlimited}}}, hbm: {gb_per_s_per_channel: "
      "unlimited}}");
  BOOST_TEST(config.platform.pes[0].gemm.macs_per_cycle_f16 == 0.0);
  BOOST_TEST(config.platform.hbm.channel_bandwidth.is_unlimited());
}

BOOST_AUTO_TEST_CASE(zero_costs_and_zero_keys_are_legal) {
  const ScenarioConfig config =
      scenario_from_text("kv_len: 0", {"fixed_per_cmd_cycles=0", "byte_cycles_recip=0", "latency_ns=0"});
  BOOST_TEST(config.workload.kv_len == 0U);
  BOOST_TEST(config.platform.pes[0].cost.fixed_per_cmd_cycles == 0.0);
  BOOST_TEST(config.platform.hbm.latency_ns == 0.0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
