// SPDX-License-Identifier: Apache-2.0
#include "petal/sweep/sweep_request.hpp"

#include <boost/test/unit_test.hpp>

#include "config_error.hpp"

namespace petal {
namespace {

using test::config_error_of;
using test::mentions;

SweepRequest sample() {
  return {"0.1.0", "s.yaml", "kernel: gemm\nkv_len: 64\n", {"tile=32,64"}, {"opt2", "opt3"}};
}

BOOST_AUTO_TEST_SUITE(request)

BOOST_AUTO_TEST_CASE(it_is_the_same_after_a_file) {
  const SweepRequest back = request_from_json(request_json(sample()), "sweep.json");
  BOOST_TEST(back.version == "0.1.0");
  BOOST_TEST(back.scenario == "s.yaml");
  BOOST_TEST(back.text == sample().text);
  BOOST_TEST((back.sets == sample().sets));
  BOOST_TEST((back.kernels == sample().kernels));
  BOOST_TEST(difference(back, sample()) == "");
}

BOOST_AUTO_TEST_CASE(another_file_is_refused) {
  for (const char* bad : {"", "{", "[]", "{\"petal_sweep\": 1}"})
    BOOST_TEST(mentions(config_error_of([&] { request_from_json(bad, "d/sweep.json"); }),
                        "d/sweep.json: is no file that petal sweep wrote"),
               bad);
  BOOST_TEST(mentions(config_error_of([&] { request_from_json("{\"petal_sweep\": 9}", "d/sweep.json"); }),
                      "another version"));
}

BOOST_AUTO_TEST_CASE(spelling_makes_no_other_grid) {
  SweepRequest other = sample();
  other.sets = {"tile=32:64:*2"};
  other.kernels = {"gqa_decode_opt2", "gqa_decode_opt3"};
  BOOST_TEST(difference(sample(), other) == "");
}

BOOST_AUTO_TEST_CASE(a_difference_is_told_in_words) {
  SweepRequest other = sample();
  other.text = "kernel: gemm\nkv_len: 128\n";
  BOOST_TEST(difference(sample(), other) == "line 2 of the scenario is 'kv_len: 128' and was 'kv_len: 64'");
  other.text = "kernel: gemm\n";
  BOOST_TEST(difference(sample(), other) == "line 2 of the scenario is not there and was 'kv_len: 64'");
  other = sample();
  other.sets = {"tile=32,64,128"};
  BOOST_TEST(difference(sample(), other) == "tile has the values 32, 64, 128 and had 32, 64");
  other.sets = {"kv_len=32,64"};
  BOOST_TEST(difference(sample(), other) == "kv_len is swept where tile was");
  other.sets = {"tile=32,64", "kv_len=1"};
  BOOST_TEST(difference(sample(), other) == "kv_len is swept where kernel was");
  other = sample();
  other.kernels = {};
  BOOST_TEST(difference(sample(), other) == "kernel is not swept and was");
  BOOST_TEST(difference(other, sample()) == "kernel is swept and was not");
  other = sample();
  other.version = "0.2.0";
  BOOST_TEST(difference(sample(), other) == "this is petal 0.2.0 and that was petal 0.1.0");
}

BOOST_AUTO_TEST_CASE(a_plan_has_the_scenario_and_its_study) {
  SweepRequest request = sample();
  request.text += "sweep: {set: [fixed_per_cmd_cycles=1:3:1], columns: [head_dim]}\n";
  const PlannedSweep sweep(request);
  BOOST_TEST(sweep.grid.size() == 12U);
  BOOST_TEST(sweep.table.has_column("head_dim"));
  request.text = "kv_len: many\n";
  BOOST_TEST(mentions(config_error_of([&] { PlannedSweep again(request); }), "s.yaml:1: kv_len"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
