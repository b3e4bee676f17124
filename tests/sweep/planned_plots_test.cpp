// SPDX-License-Identifier: Apache-2.0
#include "petal/sweep/planned_plots.hpp"

#include <boost/test/unit_test.hpp>

#include "config_error.hpp"
#include "sample_table.hpp"

namespace petal {
namespace {

using Texts = std::vector<std::string>;
using test::config_error_of;
using test::dispatch_grid;
using test::dispatch_table;
using test::mentions;

PlotConfig plot_named(const std::string& name) {
  PlotConfig plot;
  plot.name = name;
  return plot;
}

std::vector<PlotConfig> planned(const PlotConfig& plot) {
  SweepConfig study;
  study.plots = {plot};
  return planned_plots(study, dispatch_grid(), dispatch_table());
}

std::string refusal(const PlotConfig& plot) {
  return config_error_of([&] { planned(plot); });
}

BOOST_AUTO_TEST_SUITE(plots)

BOOST_AUTO_TEST_CASE(without_plots_time_and_dispatch_are_drawn_over_the_longest_axis) {
  const auto plots = planned_plots({}, dispatch_grid(), dispatch_table());
  BOOST_REQUIRE(plots.size() == 2U);
  BOOST_TEST(plots[0].x == "fixed_per_cmd_cycles");
  BOOST_TEST((plots[0].y == Texts{"time_ps"}));
  BOOST_TEST((plots[0].series == Texts{"byte_cycles_recip", "kernel"}));
  BOOST_TEST((plots[1].y == Texts{"dispatch_cycles"}));
}

BOOST_AUTO_TEST_CASE(a_crossover_of_kernels_compares_a_metric) {
  PlotConfig plot = plot_named("c");
  plot.style = PlotStyle::crossover;
  plot.between = {"opt3", "opt2"};
  plot.x = "byte_cycles_recip";
  plot.y = {"fixed_per_cmd_cycles"};
  const PlotConfig filled = planned(plot).front();
  BOOST_TEST((filled.between == Texts{"gqa_decode_opt3", "gqa_decode_opt2"}));
  BOOST_TEST(filled.metric == "dispatch_cycles_per_tile");
  BOOST_TEST((filled.at == Texts{"1"}));
  BOOST_TEST(filled.series.empty());
}

BOOST_AUTO_TEST_CASE(a_crossover_of_columns_has_a_curve_for_each_kernel) {
  PlotConfig plot = plot_named("c");
  plot.style = PlotStyle::crossover;
  plot.between = {"cpu_dispatching", "gemm_utilisation"};
  plot.x = "byte_cycles_recip";
  plot.y = {"fixed_per_cmd_cycles"};
  BOOST_TEST((planned(plot).front().series == Texts{"kernel"}));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_drawn_is_refused) {
  PlotConfig plot = plot_named("p");
  plot.x = "fixed";
  BOOST_TEST(mentions(refusal(plot), "plot p: x: 'fixed' is no column of the table; nearest '"));
  plot = plot_named("p");
  plot.y = {"time_p"};
  BOOST_TEST(mentions(refusal(plot), "plot p: y: 'time_p' is no column of the table; nearest 'time_ps'"));
  plot = plot_named("p");
  plot.series = {"kernels"};
  BOOST_TEST(mentions(refusal(plot), "series: 'kernels'"));
  plot = plot_named("p");
  plot.style = PlotStyle::crossover;
  BOOST_TEST(mentions(refusal(plot), "`between` two kernels or two columns; 0 are given"));
  plot.between = {"opt3", "opt2"};
  BOOST_TEST(mentions(refusal(plot), "the y of a crossover is one swept key; it is [time_ps]"));
  plot.y = {"byte_cycles_recip"};
  plot.between = {"opt3", "opt1"};
  BOOST_TEST(mentions(refusal(plot), "the sweep does not run gqa_decode_opt1"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
