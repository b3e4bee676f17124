// SPDX-License-Identifier: Apache-2.0
//
// What a scenario with a mistake says: the file, the line, the key, the value, what is allowed, the nearest
// key.
#include <boost/test/unit_test.hpp>

#include "config_error_text.hpp"

namespace petal {
namespace {

using test::contains;
using test::error_of;
using test::line_count;

// A scenario of one key of pe_cost_model, on line 4.
std::string cost_model(const std::string& line) {
  return "platform:\n  pe:\n    attrs:\n      pe_cost_model: {" + line + "}\n";
}

std::string attrs(const std::string& line) {
  return "platform: {pe: {attrs: {" + line + "}}}";
}

const std::string kCost = "platform.pe.attrs.pe_cost_model.";

BOOST_AUTO_TEST_SUITE(scenario_errors)

BOOST_AUTO_TEST_CASE(an_error_has_file_line_key_value_and_what_is_allowed) {
  BOOST_TEST(error_of(cost_model("fixed_per_cmd_cycles: -5")) ==
             "s.yaml:4: platform.pe.attrs.pe_cost_model.fixed_per_cmd_cycles: value '-5': must be a real "
             "number from 0 "
             "to 1000000000");
}

BOOST_AUTO_TEST_CASE(a_value_that_is_no_number_is_never_the_default) {
  BOOST_TEST(
      scenario_from_text(cost_model("fixed_per_cmd_cycles: 8e1")).platform.pes[0].cost.fixed_per_cmd_cycles ==
      80.0);
  for (const char* bad : {"eighty", "[80]", "{a: 80}", "0x50", "080", "", "'80'", "\"80\"", "true", "8 0"})
    BOOST_TEST(contains(error_of(cost_model(std::string("fixed_per_cmd_cycles: ") + bad)),
                        "s.yaml:4: " + kCost + "fixed_per_cmd_cycles: value "),
               bad);
  BOOST_TEST(contains(
      error_of("platform:\n  pe:\n    attrs:\n      pe_cost_model:\n        byte_cycles_recip: 0,125\n"),
      "s.yaml:5: " + kCost + "byte_cycles_recip: value '0,125': must be a real number"));
}

BOOST_AUTO_TEST_CASE(a_quoted_number_is_told_to_lose_its_quotes) {
  BOOST_TEST(contains(error_of("kv_len: '64'"), "without quotes"));
}

BOOST_AUTO_TEST_CASE(numbers_that_no_time_can_be_made_of_are_refused) {
  for (const char* bad : {"0", "-1.0", ".nan", ".inf", "-.inf", "1e-30", "1e30", "nan"})
    BOOST_TEST(contains(error_of(attrs(std::string("clock_freq_ghz: ") + bad)),
                        "must be a real number from 0.001 to"),
               bad);
  BOOST_TEST(contains(error_of(cost_model("byte_cycles_recip: -0.1")), "from 0 to"));
  BOOST_TEST(contains(error_of(cost_model("max_composite_logical_bytes: 0")), "from 1 to"));
  BOOST_TEST(contains(error_of("platform: {hbm: {gb_per_s_per_channel: 0}}"), "or unlimited"));
  BOOST_TEST(contains(error_of("platform: {hbm: {efficiency: 0}}"), "above 0, up to 1"));
  BOOST_TEST(contains(error_of("platform: {hbm: {efficiency: 1.01}}"), "above 0, up to 1"));
}

BOOST_AUTO_TEST_CASE(an_unknown_key_names_the_nearest_one) {
  BOOST_TEST(error_of(cost_model("fixed_per_cmd_cycle: 400")) ==
             "s.yaml:4: " + kCost + "fixed_per_cmd_cycle: value '400': no such key; nearest valid key '" +
                 kCost + "fixed_per_cmd_cycles'");
  BOOST_TEST(
      contains(error_of(attrs("pe_costmodel: {}")), "nearest valid key 'platform.pe.attrs.pe_cost_model'"));
  BOOST_TEST(
      contains(error_of(attrs("Clock_freq_ghz: 2")), "nearest valid key 'platform.pe.attrs.clock_freq_ghz'"));
  BOOST_TEST(contains(error_of("platfrom: {}"), "nearest valid key 'platform'"));
  BOOST_TEST(contains(error_of("launches: [{kv_lenn: 3}]"),
                      "launches[0].kv_lenn: value '3': no such key; nearest valid key 'launches[0].kv_len'"));
  BOOST_TEST(
      contains(error_of("platform: {pes: [{}, {attr: {}}]}"), "nearest valid key 'platform.pes[1].attrs'"));
}

BOOST_AUTO_TEST_CASE(a_key_at_the_wrong_level_names_its_place) {
  const std::string place = "nearest valid key '" + kCost + "fixed_per_cmd_cycles'";
  BOOST_TEST(contains(error_of("fixed_per_cmd_cycles: 4"), place));
  BOOST_TEST(contains(error_of("platform: {pe: {fixed_per_cmd_cycles: 4}}"), place));
  BOOST_TEST(contains(error_of(attrs("fixed_per_cmd_cycles: 4")), place));
}

BOOST_AUTO_TEST_CASE(a_dotted_key_is_no_way_around_a_duplicate) {
  const std::string error = error_of("gemm: {m: 8}\ngemm.m: 16");
  BOOST_TEST(contains(error, "s.yaml:2: gemm.m: value '16': no such key (a file nests maps"), error);
}

BOOST_AUTO_TEST_CASE(a_duplicate_names_both_lines) {
  BOOST_TEST(error_of("kv_len: 40\ntile: 8\nkv_len: 400\n") ==
             "s.yaml:3: kv_len: the key comes twice, first on line 1, again on line 3; keep one");
  const std::string twice = "platform:\n  pe: {compute_slot: shared}\n  pe: {compute_slot: separate}\n";
  BOOST_TEST(contains(error_of(twice), "platform.pe: the key comes twice, first on line 2, again on line 3"));
}

BOOST_AUTO_TEST_CASE(booleans_are_true_and_false_and_nothing_else) {
  const auto streaming = [](const std::string& value) {
    return attrs("pe_scheduler: {math_head_streaming: " + value + "}");
  };
  BOOST_TEST(scenario_from_text(streaming("true")).platform.pes[0].scheduler.math_head_streaming);
  BOOST_TEST(!scenario_from_text(streaming("false")).platform.pes[0].scheduler.math_head_streaming);
  for (const char* bad :
       {"yes", "on", "y", "True", "TRUE", "1", "0", "tRue", "'true'", "enabled", "no", "off", "~"})
    BOOST_TEST(contains(error_of(streaming(bad)), "math_head_streaming: value"), bad);
}

BOOST_AUTO_TEST_CASE(a_word_that_is_none_of_the_choices_names_the_nearest) {
  const std::string error = error_of(attrs("pe_cpu: {auto_await: primitives}"));
  BOOST_TEST(contains(error, "must be one of primitive, all, none; nearest valid value 'primitive'"), error);
  BOOST_TEST(contains(error_of("dtype: fp16"), "nearest valid value 'f16'"));
  BOOST_TEST(contains(error_of("dtype: boolean"), "must be one of f32"));
}

BOOST_AUTO_TEST_CASE(engines_are_a_list_of_known_ones_each_once) {
  BOOST_TEST(contains(error_of("platform: {pe: {engines: [dma, gem]}}"), "nearest valid value 'gemm'"));
  BOOST_TEST(contains(error_of("platform: {pe: {engines: [dma, dma]}}"), "'dma' comes twice"));
  BOOST_TEST(
      contains(error_of("platform: {pe: {engines: dma}}"), "must be a list of dma, fetch_store, gemm, math"));
  BOOST_TEST(contains(error_of("platform: {pe: {engines: [[dma]]}}"), "a list of 1 must be one of"));
}

BOOST_AUTO_TEST_CASE(sizes_have_limits) {
  BOOST_TEST(contains(error_of("platform: {hbm: {channels: 0}}"), "from 1 to 64"));
  BOOST_TEST(contains(error_of("platform: {hbm: {channels: 65}}"), "from 1 to 64"));
  BOOST_TEST(contains(error_of("platform: {hbm: {interleave_bytes: 300}}"), "a power of two"));
  BOOST_TEST(contains(error_of("kv_len: -1"), "from 0 to 2147483647"));
  BOOST_TEST(contains(error_of("kv_len: 2147483648"), "from 0 to 2147483647"));
  BOOST_TEST(contains(error_of("tile: 0"), "from 1 to"));
  BOOST_TEST(contains(error_of("head_dim: 0"), "from 1 to"));
  BOOST_TEST(contains(error_of("kv_heads: 0"), "from 1 to"));
  BOOST_TEST(contains(error_of("kv_len: 1.5"), "whole number"));
  BOOST_TEST(contains(error_of("platform: {pes: 0}"), "from 1 to 65536, or a list of maps"));
  BOOST_TEST(contains(error_of("platform: {pes: many}"), "or a list of maps"));
  BOOST_TEST(contains(error_of("platform: {pes: []}"), "must be a list of 1 to 65536 maps"));
  BOOST_TEST(contains(error_of("launches: []"), "must be a list of 1 to 65536 maps"));
  BOOST_TEST(contains(error_of("compare: []"), "at least one"));
  BOOST_TEST(contains(error_of("kernel: ''"), "not empty"));
}

BOOST_AUTO_TEST_CASE(a_queue_smaller_than_the_cap_is_refused) {
  const std::string error =
      error_of(attrs("pe_cost_model: {max_composite_logical_bytes: 128}, pe_cpu: {queue_bytes: 127}"));
  BOOST_TEST(
      contains(error,
               "queue_bytes must be at least max_composite_logical_bytes, the cap; they are 127 and 128"),
      error);
  BOOST_TEST(contains(error_of(attrs("pe_cpu: {queue_bytes: 128}")), "they are 128 and 1024"));
  BOOST_TEST(
      error_of(attrs("pe_cost_model: {max_composite_logical_bytes: 128}, pe_cpu: {queue_bytes: 128}")) == "");
}

BOOST_AUTO_TEST_CASE(query_heads_share_kv_heads_evenly) {
  BOOST_TEST(error_of("tile: 8\nq_heads: 12") ==
             "s.yaml:2: q_heads: value '12': q_heads must be a multiple of kv_heads; they are 12 and 8");
  BOOST_TEST(error_of("q_heads: 12\nkv_heads: 12") == "");
  BOOST_TEST(error_of("q_heads: 12\nlaunches: [{q_heads: 16}]") == "");
  BOOST_TEST(contains(error_of("launches: [{}, {q_heads: 12}]"), "launches[1].q_heads"));
}

BOOST_AUTO_TEST_CASE(a_pair_is_blamed_on_the_one_given_last) {
  BOOST_TEST(contains(error_of("q_heads: 32", {"kv_heads=5"}), "--set: kv_heads: value '5'"));
}

BOOST_AUTO_TEST_CASE(a_key_of_the_other_gemm_model_is_refused) {
  const std::string error = error_of(attrs("pe_gemm: {rows: 32}"));
  BOOST_TEST(error ==
             "s.yaml:1: platform.pe.attrs.pe_gemm.rows: value '32': is only used with attrs.pe_gemm.model "
             "systolic, and that is throughput here; leave it out, or set attrs.pe_gemm.model=systolic");
  for (const char* const key : {"rows: 64", "cols: 64", "dataflow: os", "preload: exposed"}) {
    BOOST_TEST(line_count(error_of(attrs(std::string("pe_gemm: {") + key + "}"))) == 1, key);
    BOOST_TEST(error_of(attrs(std::string("pe_gemm: {model: systolic, ") + key + "}")) == "", key);
  }
  for (const char* const key :
       {"macs_per_cycle_f32: 1", "macs_per_cycle_f16: 1", "macs_per_cycle_8bit: 1", "m_quantum: 16"}) {
    BOOST_TEST(contains(error_of(attrs(std::string("pe_gemm: {model: systolic, ") + key + "}")),
                        "is only used with attrs.pe_gemm.model throughput, and that is systolic here"),
               key);
    BOOST_TEST(error_of(attrs(std::string("pe_gemm: {model: throughput, ") + key + "}")) == "", key);
  }
}

// Who overrides the model need not edit what the file says of the other one; who overrides a key of the other
// one has made a mistake.
BOOST_AUTO_TEST_CASE(a_model_that_is_overridden_takes_its_keys_along) {
  const std::string systolic =
      attrs("pe_gemm: {model: systolic, rows: 32, dataflow: ws, preload: overlapped}");
  BOOST_TEST(error_of(systolic, {"pe_gemm.model=throughput"}) == "");
  BOOST_TEST(contains(error_of(systolic, {"m_quantum=16"}), "--set: platform.pe.attrs.pe_gemm.m_quantum"));
  BOOST_TEST(contains(error_of(systolic, {"pe_gemm.model=throughput", "cols=16"}),
                      "--set: platform.pe.attrs.pe_gemm.cols"));
  BOOST_TEST(error_of(attrs("pe_gemm: {m_quantum: 16}"), {"pe_gemm.model=systolic"}) == "");
  const std::string listed =
      "platform: {pe: {attrs: {pe_gemm: {model: systolic, rows: 32}}}, "
      "pes: [{attrs: {pe_gemm: {model: throughput, m_quantum: 4}}}, {attrs: {pe_gemm: {cols: 8}}}, "
      "{attrs: {pe_gemm: {m_quantum: 4}}}]}";
  BOOST_TEST(line_count(error_of(listed)) == 1);
  BOOST_TEST(contains(error_of(listed), "platform.pes[2].attrs.pe_gemm.m_quantum"));
}

BOOST_AUTO_TEST_CASE(a_model_that_was_refused_is_not_held_against_its_keys) {
  BOOST_TEST(line_count(error_of(attrs("pe_gemm: {model: sistolic, rows: 32}"))) == 1);
}

BOOST_AUTO_TEST_CASE(only_a_stationary_operand_can_be_loaded_ahead) {
  const auto array = [](const std::string& keys) {
    return attrs("pe_gemm: {model: systolic, " + keys + "}");
  };
  BOOST_TEST(error_of(array("dataflow: ws, preload: overlapped")) == "");
  BOOST_TEST(error_of(array("dataflow: is, preload: overlapped")) == "");
  BOOST_TEST(error_of(array("preload: exposed")) == "");
  BOOST_TEST(
      contains(error_of(array("preload: overlapped")),  // os is the default
               "s.yaml:1: platform.pe.attrs.pe_gemm.preload: value 'overlapped': preload overlapped goes"));
  BOOST_TEST(contains(error_of(array("dataflow: ws, preload: overlapped"), {"dataflow=os"}),
                      "--set: platform.pe.attrs.pe_gemm.dataflow: value 'os': preload overlapped goes with "
                      "dataflow ws or is"));
}

// 4 areas of 4-byte elements, 2^20 x 2^20 each, are 2^44 bytes a slot; 2^18 slots are 2^62.
BOOST_AUTO_TEST_CASE(staging_stays_within_64_bit_addresses) {
  const auto scheduler = [](const std::string& buffers) {
    return attrs(
        "pe_scheduler: {gemm_tile: {m: 1048576, k: 1048576, n: 1}, max_in_flight: 32768, tile_buffers: " +
        buffers + "}");
  };
  BOOST_TEST(error_of(scheduler("8")) == "");
  BOOST_TEST(contains(error_of(scheduler("9")),
                      "max_in_flight 32768 x tile_buffers 9 slots of a gemm_tile of "
                      "1048576 x 1048576 x 1"));
}

BOOST_AUTO_TEST_CASE(pe_names_are_unique_and_not_empty) {
  BOOST_TEST(
      contains(error_of("platform:\n  pes:\n    - {name: pe}\n    - {}\n    - {name: pe}\n"),
               "s.yaml:5: platform.pes[2].name: value 'pe': must be unique; platform.pes[0] on line 3"));
  BOOST_TEST(contains(error_of("platform: {pes: [{}, {name: pe0}]}"), "must be unique"));
  BOOST_TEST(contains(error_of("platform: {pes: [{name: ''}]}"), "not empty"));
  BOOST_TEST(contains(error_of("platform: {pes: [{name: ~}]}"), "not empty"));
}

BOOST_AUTO_TEST_CASE(all_mistakes_are_reported_at_once) {
  const std::string error =
      error_of("kernal: x\nkv_len: -1\ntile: many\nplatform: {pe: [1, 2], hbm: {channels: 99}}\n",
               {"seed=-1", "nosuch=3"});
  BOOST_TEST(line_count(error) == 7, error);
  for (const char* part :
       {"s.yaml:1: kernal", "s.yaml:2: kv_len", "s.yaml:3: tile", "s.yaml:4: platform.pe: value a list",
        "s.yaml:4: platform.hbm.channels", "--set: seed", "--set: nosuch"})
    BOOST_TEST(contains(error, part), part);
}

BOOST_AUTO_TEST_CASE(a_value_that_was_refused_is_not_checked_against_others) {
  BOOST_TEST(line_count(error_of("q_heads: 12\nkv_heads: five")) == 1);
  BOOST_TEST(line_count(error_of(
                 attrs("pe_cost_model: {max_composite_logical_bytes: x}, pe_cpu: {queue_bytes: 64}"))) == 1);
}

BOOST_AUTO_TEST_CASE(an_error_is_one_line_whatever_the_value) {
  const std::string error = error_of("kv_len: \"a\\nb\\tc\\e[31m" + std::string(500, 'x') + "\"");
  BOOST_TEST(line_count(error) == 1, error);
  BOOST_TEST(error.size() < 250U, error);
}

BOOST_AUTO_TEST_CASE(a_flood_of_mistakes_is_cut_short) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "wrong" + std::to_string(i) + ": 1\n";
  const std::string error = error_of(text);
  BOOST_TEST(line_count(error) == 101);
  BOOST_TEST(contains(error, "stopped after 100 mistakes"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
