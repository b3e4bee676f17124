// SPDX-License-Identifier: Apache-2.0
#include "petal/sweep/sweep_grid.hpp"

#include <boost/test/unit_test.hpp>
#include <set>

#include "config_error.hpp"

namespace petal {
namespace {

using Texts = std::vector<std::string>;
using test::config_error_of;
using test::mentions;

const std::string kFixed = "platform.pe.attrs.pe_cost_model.fixed_per_cmd_cycles";

std::string refusal(const SweepConfig& study, const Texts& sets, const Texts& kernels = {}) {
  return config_error_of([&] { sweep_grid(study, sets, kernels); });
}

BOOST_AUTO_TEST_SUITE(grid)

BOOST_AUTO_TEST_CASE(every_combination_is_there_once_and_the_kernel_changes_fastest) {
  const SweepGrid grid = sweep_grid({}, {"tile=32,64", "fixed_per_cmd_cycles=0,5,40"}, {"opt2", "opt3"});
  BOOST_REQUIRE(grid.size() == 12U);
  BOOST_TEST((grid.point(0).values == Texts{"32", "0", "gqa_decode_opt2"}));
  BOOST_TEST((grid.point(1).values == Texts{"32", "0", "gqa_decode_opt3"}));
  BOOST_TEST((grid.point(2).values == Texts{"32", "5", "gqa_decode_opt2"}));
  BOOST_TEST((grid.point(11).values == Texts{"64", "40", "gqa_decode_opt3"}));
  std::set<Texts> seen;
  for (std::size_t i = 0; i < grid.size(); ++i) seen.insert(grid.point(i).values);
  BOOST_TEST(seen.size() == 12U);
}

BOOST_AUTO_TEST_CASE(a_point_says_what_to_run) {
  const SweepPoint point = sweep_grid({}, {"fixed_per_cmd_cycles=5", "tile=8e1"}, {"opt2"}).point(0);
  BOOST_TEST((point.sets == Texts{kFixed + "=5", "tile=8e1"}));
  BOOST_TEST(point.kernel.value() == "gqa_decode_opt2");
  BOOST_TEST((point.values == Texts{"5", "80", "gqa_decode_opt2"}));
  BOOST_TEST(!sweep_grid({}, {"tile=32"}, {}).point(0).kernel.has_value());
}

BOOST_AUTO_TEST_CASE(columns_are_called_as_keys_were_written) {
  const SweepGrid grid = sweep_grid({}, {"hbm.channels=4,8", "platform.pes=1,2"}, {});
  BOOST_TEST(grid.axes()[0].name == "hbm.channels");
  BOOST_TEST(grid.axes()[0].path == "platform.hbm.channels");
  BOOST_TEST(grid.axes()[1].name == "platform.pes");
  BOOST_TEST((grid.axis_named("platform.pes") == &grid.axes()[1]));
  BOOST_TEST((grid.axis_named("tile") == nullptr));
}

BOOST_AUTO_TEST_CASE(the_command_line_wins_over_the_study) {
  SweepConfig study;
  study.sets = {"tile=32,64", "fixed_per_cmd_cycles=0,5"};
  study.kernels = {"opt2", "opt3"};
  const SweepGrid grid =
      sweep_grid(study, {"pe_cost_model.fixed_per_cmd_cycles=7", "kv_len=128,256"}, {"opt1"});
  BOOST_REQUIRE(grid.axes().size() == 4U);
  BOOST_TEST(grid.axes()[0].name == "tile");
  BOOST_TEST(grid.axes()[1].name == "pe_cost_model.fixed_per_cmd_cycles");
  BOOST_TEST(grid.axes()[1].values.size() == 1U);
  BOOST_TEST(grid.axes()[2].name == "kv_len");
  BOOST_TEST(grid.axes()[3].values[0].text == "gqa_decode_opt1");
}

BOOST_AUTO_TEST_CASE(cases_are_an_axis_of_named_sets) {
  SweepConfig study;
  study.cases = {
      {"plain", {}}, {"shared", {"hbm.scope=shared", "auto_await=none"}}, {"other", {"kernel=opt3"}}};
  study.sets = {"tile=32,64"};
  const SweepGrid grid = sweep_grid(study, {}, {});
  BOOST_REQUIRE(grid.size() == 6U);
  BOOST_TEST((grid.point(0).values == Texts{"plain", "32"}));
  BOOST_TEST((grid.point(0).sets == Texts{"tile=32"}));
  BOOST_TEST((grid.point(3).sets ==
              Texts{"platform.hbm.scope=shared", "platform.pe.attrs.pe_cpu.auto_await=none", "tile=64"}));
  BOOST_TEST(grid.point(4).kernel.value() == "gqa_decode_opt3");
}

BOOST_AUTO_TEST_CASE(the_kernel_may_be_written_as_a_key) {
  const SweepGrid grid = sweep_grid({}, {"kernel=opt2,opt3", "tile=32,64"}, {});
  BOOST_TEST(grid.axes()[0].name == "tile");
  BOOST_TEST(grid.point(1).kernel.value() == "gqa_decode_opt3");
  BOOST_TEST(grid.point(1).sets.size() == 1U);
}

BOOST_AUTO_TEST_CASE(what_makes_no_grid_is_refused) {
  BOOST_TEST(mentions(refusal({}, {}), "nothing to sweep"));
  BOOST_TEST(mentions(refusal({}, {"tile"}), "'tile': an axis must be key.path=v1,v2,.."));
  BOOST_TEST(mentions(refusal({}, {"tiel=1,2"}), "nearest valid key 'tile'"));
  BOOST_TEST(mentions(refusal({}, {"tile=0"}), "tile: value '0': must be a whole number from 1"));
  BOOST_TEST(mentions(refusal({}, {"tile=64,32,6.4e1"}), "tile: value '64' comes twice"));
  BOOST_TEST(mentions(refusal({}, {"tile=1", "tile=2"}), "tile: the key comes twice"));
  BOOST_TEST(mentions(refusal({}, {}, {"opt9"}), "opt9"));
  BOOST_TEST(mentions(refusal({}, {}, {"opt2", "gqa_decode_opt2"}), "comes twice"));
  BOOST_TEST(mentions(refusal({}, {"kernel=opt2"}, {"opt3"}), "listed twice"));
  BOOST_TEST(mentions(refusal({}, {"kv_len=1:1000:1", "tile=1:1001:1"}), "more than 1000000 points"));
  SweepConfig study;
  study.cases = {{"shared", {"hbm.scope=shared"}}};
  BOOST_TEST(mentions(refusal(study, {"hbm.scope=per_pe"}), "the study's cases set this key"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
