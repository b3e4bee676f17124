// SPDX-License-Identifier: Apache-2.0
//
// `--set key.path=value`.
#include <boost/test/unit_test.hpp>

#include "config_error_text.hpp"
#include "petal/config/scenario_source.hpp"

namespace petal {
namespace {

using test::contains;
using test::error_of;

double fixed_with(const std::string& option) {
  return scenario_from_text("{}", {option}).platform.pes[0].cost.fixed_per_cmd_cycles;
}

std::string path_error(const std::string& path) {
  try {
    full_key_path(path);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

BOOST_AUTO_TEST_SUITE(set_option)

BOOST_AUTO_TEST_CASE(a_path_may_be_shortened_to_a_unique_end) {
  BOOST_TEST(fixed_with("platform.pe.attrs.pe_cost_model.fixed_per_cmd_cycles=80") == 80.0);
  BOOST_TEST(fixed_with("pe_cost_model.fixed_per_cmd_cycles=80") == 80.0);
  BOOST_TEST(fixed_with("fixed_per_cmd_cycles=8e1") == 80.0);
  BOOST_TEST(full_key_path("capacity") == "platform.hbm.capacity");
  BOOST_TEST(full_key_path("pes") == "platform.pes");
}

BOOST_AUTO_TEST_CASE(the_keys_of_an_array_have_ends_of_their_own) {
  BOOST_TEST(full_key_path("rows") == "platform.pe.attrs.pe_gemm.rows");
  BOOST_TEST(full_key_path("cols") == "platform.pe.attrs.pe_gemm.cols");
  BOOST_TEST(full_key_path("dataflow") == "platform.pe.attrs.pe_gemm.dataflow");
  BOOST_TEST(full_key_path("preload") == "platform.pe.attrs.pe_gemm.preload");
}

BOOST_AUTO_TEST_CASE(a_full_path_wins_over_an_end) {
  BOOST_TEST(full_key_path("model") == "model");  // and not platform.pe.attrs.pe_gemm.model
  BOOST_TEST(full_key_path("gemm.m") == "gemm.m");
}

BOOST_AUTO_TEST_CASE(an_end_is_made_of_whole_names) {
  BOOST_TEST(contains(path_error("cmd_cycles"), "no such key"));
}

BOOST_AUTO_TEST_CASE(an_ambiguous_end_names_its_candidates) {
  const std::string error = path_error("setup_cycles");
  BOOST_TEST(
      contains(error, "platform.pe.attrs.pe_dma.setup_cycles, platform.pe.attrs.pe_fetch_store.setup_cycles"),
      error);
}

BOOST_AUTO_TEST_CASE(an_unknown_path_names_the_nearest) {
  BOOST_TEST(contains(error_of("{}", {"fixed_per_cmd_cycle=3"}),
                      "--set: fixed_per_cmd_cycle: no such key; nearest valid key "
                      "'platform.pe.attrs.pe_cost_model.fixed_per_cmd_cycles'"));
  BOOST_TEST(contains(path_error("launches"), "in the file"));
  BOOST_TEST(contains(path_error("platform.pes[0].name"), "in the file"));
}

BOOST_AUTO_TEST_CASE(a_value_is_held_to_the_same_limits) {
  BOOST_TEST(error_of("{}", {"kv_len=-1"}) ==
             "--set: kv_len: value '-1': must be a whole number from 0 to 2147483647");
  for (const char* bad : {"kv_len=", "kv_len=010", "kv_len=[1", "kv_len={a: 1}", "math_head_streaming=yes"})
    BOOST_TEST(contains(error_of("{}", {bad}), "--set: "), bad);
}

BOOST_AUTO_TEST_CASE(an_option_without_a_path_or_a_value_is_refused) {
  for (const char* bad : {"kv_len", "=3", ""})
    BOOST_TEST(contains(error_of("{}", {bad}), "must be key.path=value"), bad);
}

BOOST_AUTO_TEST_CASE(it_wins_over_the_file_and_the_last_one_counts) {
  BOOST_TEST(scenario_from_text("kv_len: 1", {"kv_len=2"}).workload.kv_len == 2U);
  BOOST_TEST(scenario_from_text("kv_len: 1", {"kv_len=2", "kv_len=3"}).workload.kv_len == 3U);
}

BOOST_AUTO_TEST_CASE(onnx_attributes_are_written_as_onnx_does) {
  const auto attributes_with = [](const std::vector<std::string>& options) {
    return scenario_from_text("{}", options).workload.attention.attributes;
  };
  BOOST_TEST(!attributes_with({}).is_causal);
  BOOST_TEST(attributes_with({"attention.is_causal=1"}).is_causal);
  BOOST_TEST(attributes_with({"attention.is_causal=true"}).is_causal);
  BOOST_TEST(!attributes_with({"attention.is_causal=1", "attention.is_causal=0"}).is_causal);
  BOOST_TEST(!attributes_with({}).scale.has_value());
  BOOST_TEST(attributes_with({"attention.scale=0.01"}).scale.value() == 0.01);
  BOOST_TEST(!attributes_with({"attention.scale=2", "attention.scale=none"}).scale.has_value());
  BOOST_TEST(attributes_with({"attention.q_num_heads=9"}).q_num_heads.value() == 9U);
  BOOST_TEST(attributes_with({}).left_window_size == -1);
  BOOST_TEST(attributes_with({"attention.left_window_size=2"}).left_window_size == 2);
  BOOST_TEST(attributes_with({"attention.left_window_size=2", "left_window_size=-1"}).left_window_size == -1);
}

BOOST_AUTO_TEST_CASE(an_attribute_out_of_range_says_what_is_allowed) {
  BOOST_TEST(error_of("{}", {"attention.left_window_size=-2"}) ==
             "--set: attention.left_window_size: value '-2': must be a whole number from -1 to 2147483647");
  BOOST_TEST(error_of("{}", {"attention.is_causal=2"}) ==
             "--set: attention.is_causal: value '2': must be 0 or 1, or false or true");
  BOOST_TEST(contains(error_of("{}", {"attention.q_num_heads=0"}), "from 1 to 65536, or none"));
  BOOST_TEST(contains(error_of("{}", {"attention.scale=-1"}), "or none"));
}

BOOST_AUTO_TEST_CASE(a_list_is_written_in_brackets) {
  const ScenarioConfig config = scenario_from_text("{}", {"compare=[opt1, opt2]", "engines=[dma]"});
  BOOST_TEST(config.compare.size() == 2U);
  BOOST_TEST(config.compare.back() == "opt2");
  BOOST_TEST(config.platform.pes[0].engines.dma);
  BOOST_TEST(!config.platform.pes[0].engines.gemm);
}

BOOST_AUTO_TEST_CASE(the_number_of_pes_can_be_set_unless_they_are_listed) {
  BOOST_TEST(scenario_from_text("{}", {"platform.pes=4"}).platform.pes.size() == 4U);
  BOOST_TEST(scenario_from_text("platform: {pes: 2}", {"platform.pes=4"}).platform.pes.size() == 4U);
  BOOST_TEST(contains(error_of("platform: {pes: [{}, {}]}", {"platform.pes=4"}),
                      "--set: platform.pes: cannot be set: s.yaml:1 lists the PEs"));
}

BOOST_AUTO_TEST_CASE(bad_options_and_a_bad_file_are_reported_together) {
  BOOST_TEST(test::line_count(error_of("tile: 0", {"kv_len=x", "nosuch=1"})) == 3);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
