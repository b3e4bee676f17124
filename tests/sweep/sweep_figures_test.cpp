// SPDX-License-Identifier: Apache-2.0
#include "petal/sweep/sweep_figures.hpp"

#include <boost/test/unit_test.hpp>

#include "petal/sweep/planned_plots.hpp"
#include "petal/sweep/sweep_crossover.hpp"
#include "sample_table.hpp"

namespace petal {
namespace {

using test::dispatch_grid;
using test::dispatch_table;
using test::sample_failure;
using test::sample_result;

constexpr double kTight = 1e-12;

PlotConfig planned(PlotConfig plot, const SweepGrid& grid, const SweepTable& table) {
  SweepConfig study;
  plot.name = "p";
  study.plots = {std::move(plot)};
  return planned_plots(study, grid, table).front();
}

PlotConfig crossover_plot() {
  PlotConfig plot;
  plot.style = PlotStyle::crossover;
  plot.between = {"opt3", "opt2"};
  plot.at = {"1", "2"};
  plot.x = "byte_cycles_recip";
  plot.y = {"fixed_per_cmd_cycles"};
  plot.slopes = {"1"};
  return planned(plot, dispatch_grid(), dispatch_table());
}

BOOST_AUTO_TEST_SUITE(figures)

BOOST_AUTO_TEST_CASE(a_curve_for_each_series) {
  PlotConfig plot;
  plot.title = "Dispatch";
  plot.x = "fixed_per_cmd_cycles";
  plot.y = {"dispatch_cycles_per_tile"};
  plot.log = {"y"};
  const Figure figure = figure_of(planned(plot, dispatch_grid(), dispatch_table()), dispatch_table());
  BOOST_TEST(figure.title == "Dispatch");
  BOOST_TEST(figure.x_label == "fixed_per_cmd_cycles (cycles/command)");
  BOOST_TEST(figure.y_label == "dispatch_cycles_per_tile (cycles a tile)");
  BOOST_TEST(!figure.log_x);
  BOOST_TEST(figure.log_y);
  BOOST_TEST(figure.categories.empty());
  BOOST_REQUIRE(figure.curves.size() == 4U);
  BOOST_TEST(figure.curves[1].title == "byte_cycles_recip 0.0625, gqa_decode_opt2");
  BOOST_REQUIRE(figure.curves[1].points.size() == 3U);
  BOOST_TEST((figure.curves[1].points[2] == std::make_pair(40.0, 103.75)));
}

BOOST_AUTO_TEST_CASE(names_on_the_x_axis_keep_their_order) {
  SweepConfig study;
  study.cases = {{"b", {}}, {"a", {"tile=32"}}};
  const SweepGrid grid = sweep_grid(study, {}, {});
  SweepTable table(grid, {});
  table.add(0, sample_result("gemm", 7, 1));
  table.add(1, sample_failure("no"));
  const Figure figure = figure_of(planned({}, grid, table), table);
  BOOST_TEST((figure.categories == std::vector<std::string>{"b", "a"}));
  BOOST_REQUIRE(figure.curves.size() == 1U);
  BOOST_REQUIRE(figure.curves[0].points.size() == 1U);  // a failed point has no place
  BOOST_TEST((figure.curves[0].points[0] == std::make_pair(0.0, 7.0)));
}

// 8 FIXED = 8 R, and 6 FIXED = 388 R.
BOOST_AUTO_TEST_CASE(a_crossover_is_where_the_formula_has_it) {
  const auto points = crossover_points(crossover_plot(), dispatch_table());
  BOOST_REQUIRE(points.size() == 4U);
  BOOST_TEST(points[0].x == "0.0625");
  BOOST_TEST(points[0].at == "1");
  BOOST_TEST(points[0].y == 0.0625, boost::test_tools::tolerance(kTight));
  BOOST_TEST(points[1].at == "2");
  BOOST_TEST(points[1].y == 388 * 0.0625 / 6, boost::test_tools::tolerance(kTight));
  BOOST_TEST(points[2].y == 0.25, boost::test_tools::tolerance(kTight));
  BOOST_TEST(points[3].y == 388 * 0.25 / 6, boost::test_tools::tolerance(kTight));
}

BOOST_AUTO_TEST_CASE(a_crossover_is_drawn_as_a_curve_for_each_ratio_beside_straight_lines) {
  const Figure figure = figure_of(crossover_plot(), dispatch_table());
  BOOST_REQUIRE(figure.curves.size() == 3U);
  BOOST_TEST(figure.curves[0].title == "gqa_decode_opt3 = gqa_decode_opt2");
  BOOST_TEST(figure.curves[1].title == "gqa_decode_opt3 = 2 x gqa_decode_opt2");
  BOOST_TEST(figure.curves[0].points.size() == 2U);
  BOOST_TEST((figure.curves[2].style == CurveStyle::line));
  BOOST_TEST((figure.curves[2].points[1] == std::make_pair(0.25, 0.25)));
}

BOOST_AUTO_TEST_CASE(a_crossover_is_written_as_csv) {
  const std::string csv =
      crossover_csv(crossover_plot(), crossover_points(crossover_plot(), dispatch_table()));
  BOOST_TEST(
      csv ==
      "ratio,byte_cycles_recip,fixed_per_cmd_cycles\n1,0.0625,0.0625\n2,0.0625,4.04166667\n1,0.25,0.25\n"
      "2,0.25,16.1666667\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
