// SPDX-License-Identifier: Apache-2.0
#include "petal/config/effective_config.hpp"

#include <boost/test/unit_test.hpp>

#include "config_error_text.hpp"

namespace petal {
namespace {

using test::contains;

// Scenarios that exercise every form the dump can take.
const std::vector<std::string>& scenarios() {
  static const std::vector<std::string> texts = {
      "{}",
      "kernel: gqa_decode_opt2\nmodel: llama3.2-1b\nq_heads: 16\nkv_len: 0\nseed: 18446744073709551615",
      "dispatch_preset: tensix-push\nplatform: {pes: 1024, pe: {attrs: {clock_freq_ghz: 0.7}}}",
      "dispatch_preset: tensix-push\n"
      "platform: {pe: {attrs: {pe_cost_model: {preset: gemmini-rocc, fixed_per_cmd_cycles: 0}}}}",
      "platform: {hbm: {gb_per_s_per_channel: unlimited, efficiency: 0.1, latency_ns: 1e-7}, "
      "pe: {engines: [], attrs: {clock_freq_ghz: 0.3333333333333333, pe_math: {startup_cycles: 1e9}}}}",
      "platform: {pes: [{name: 'pe[0]'}, {name: pe 1}, {name: pe.2, engines: [math]}, {name: 'pe:3'}, {name: "
      "a$end}, "
      "{name: 한글}, {name: \"a\\n\\\"b\\\"\"}, {name: 'null'}, {name: '#x', attrs: {pe_cpu: {auto_await: "
      "all}}}]}",
      "platform: {pes: [{attrs: {pe_cost_model: {preset: tensix-push}}}, {}, "
      "{attrs: {pe_cost_model: {preset: gemmini-rocc, fixed_per_cmd_cycles: 1, byte_cycles_recip: 0.25}}}]}",
      "kernel: 'null'\ncompare: [a b, '~', \"x\\ty\", '1', gemm]",
      "kernel: opt2\nlaunches:\n - {kv_len: 64, model: llama3.1-8b}\n - {kernel: gemm, dtype: i8}\n - "
      "{q_heads: 16}",
      "launches: [{kernel: gemm}]",
      "platform: {pe: {attrs: {pe_gemm: {model: systolic, rows: 8, cols: 16, dataflow: is, preload: "
      "overlapped}}}}",
      "platform: {pe: {attrs: {pe_gemm: {model: systolic, rows: 8}}}, pes: [{}, "
      "{attrs: {pe_gemm: {model: throughput, m_quantum: 4}}}, {attrs: {pe_gemm: {rows: 64}}}]}",
      "platform: {pes: [{}, {attrs: {pe_gemm: {model: systolic, dataflow: ws}}}]}",
  };
  return texts;
}

BOOST_AUTO_TEST_SUITE(effective_config)

BOOST_AUTO_TEST_CASE(the_yaml_loads_as_an_equal_scenario) {
  for (const std::string& text : scenarios()) {
    BOOST_TEST_CONTEXT(text) {
      const std::string dump = effective_yaml(scenario_from_text(text));
      BOOST_TEST(effective_yaml(scenario_from_text(dump)) == dump);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_json_loads_as_an_equal_scenario) {
  for (const std::string& text : scenarios()) {
    BOOST_TEST_CONTEXT(text) {
      const ScenarioConfig config = scenario_from_text(text);
      const std::string dump = effective_json(config);
      BOOST_TEST(dump.find('\n') == std::string::npos);
      BOOST_TEST(effective_json(scenario_from_text(dump)) == dump);
      BOOST_TEST(effective_yaml(scenario_from_text(dump)) == effective_yaml(config));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_reloaded_scenario_has_the_values_and_not_only_the_text) {
  const ScenarioConfig config = scenario_from_text(effective_json(scenario_from_text(scenarios()[6])));
  BOOST_TEST(config.platform.pes.at(0).cost.byte_cycles_recip == 0.25);
  BOOST_TEST(config.platform.pes.at(1).cost.byte_cycles_recip == 0.0625);
  BOOST_TEST(config.platform.pes.at(1).cost.fixed_per_cmd_cycles == 40.0);
  BOOST_TEST(config.platform.pes.at(2).cost.fixed_per_cmd_cycles == 1.0);
  BOOST_TEST(config.platform.pes.at(2).cost.byte_cycles_recip == 0.25);
}

BOOST_AUTO_TEST_CASE(a_pe_with_another_gemm_model_has_all_keys_of_its_own) {
  const std::string mixed =
      "platform: {pe: {attrs: {pe_gemm: {model: systolic, rows: 8}}}, "
      "pes: [{}, {attrs: {pe_gemm: {model: throughput}}}, {attrs: {pe_gemm: {rows: 64}}}]}";
  const std::string json = effective_json(scenario_from_text(mixed));
  BOOST_TEST(contains(json, R"({"name":"pe1","attrs":{"pe_gemm":{"model":"throughput",)"
                            R"("macs_per_cycle_f32":1024.0,"macs_per_cycle_f16":4096.0,)"
                            R"("macs_per_cycle_8bit":8192.0,"m_quantum":1}}})"),
             json);
  BOOST_TEST(contains(json, R"({"name":"pe2","attrs":{"pe_gemm":{"rows":64}}})"), json);
  const ScenarioConfig again = scenario_from_text(json);
  BOOST_TEST((again.platform.pes.at(1).gemm.model == GemmModel::throughput));
  BOOST_TEST(again.platform.pes.at(2).gemm.array.rows == 64U);
}

BOOST_AUTO_TEST_CASE(names_survive_whatever_they_are_made_of) {
  const ScenarioConfig config = scenario_from_text(effective_yaml(scenario_from_text(scenarios()[5])));
  BOOST_TEST(config.platform.pes.at(0).name == "pe[0]");
  BOOST_TEST(config.platform.pes.at(5).name == "한글");
  BOOST_TEST(config.platform.pes.at(6).name == "a\n\"b\"");
  BOOST_TEST(config.platform.pes.at(7).name == "null");
}

BOOST_AUTO_TEST_CASE(equal_pes_are_a_count_and_others_a_list_of_differences) {
  BOOST_TEST(contains(effective_json(scenario_from_text("platform: {pes: [{}, {}]}")), "\"pes\":2,"));
  const std::string json = effective_json(
      scenario_from_text("platform: {pes: [{name: a}, {name: b, attrs: {clock_freq_ghz: 2}}]}"));
  BOOST_TEST(contains(json, R"("pes":[{"name":"a"},{"name":"b","attrs":{"clock_freq_ghz":2.0}}])"), json);
}

BOOST_AUTO_TEST_CASE(a_single_launch_of_the_roots_keys_is_not_written_out) {
  BOOST_TEST(!contains(effective_json(scenario_from_text("kernel: gemm")), "launches"));
  BOOST_TEST(contains(effective_json(scenario_from_text("launches: [{kernel: gemm}]")), "launches"));
}

BOOST_AUTO_TEST_CASE(a_set_on_a_dump_still_works) {
  const std::string dump = effective_yaml(scenario_from_text("{}"));
  BOOST_TEST(scenario_from_text(dump, {"fixed_per_cmd_cycles=5"}).platform.pes[0].cost.fixed_per_cmd_cycles ==
             5.0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
