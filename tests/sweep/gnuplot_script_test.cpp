// SPDX-License-Identifier: Apache-2.0
#include "petal/plot/gnuplot_script.hpp"

#include <boost/test/unit_test.hpp>

#include "config_error.hpp"

namespace petal {
namespace {

using test::mentions;

BOOST_AUTO_TEST_SUITE(gnuplot)

BOOST_AUTO_TEST_CASE(the_script_holds_its_data_and_draws_two_files) {
  Figure figure;
  figure.title = "Time";
  figure.log_y = true;
  figure.curves = {{"a", CurveStyle::marked_line, {{1, 10}, {2, 0}, {3, 30.5}}}};
  const std::string script = gnuplot_script(figure, "time");
  BOOST_TEST(mentions(script, "$curve0 << END_OF_DATA\n1 10\n3 30.5\nEND_OF_DATA\n"));  // 0 has no logarithm
  BOOST_TEST(mentions(script, "set logscale y\n"));
  BOOST_TEST(!mentions(script, "set logscale x\n"));
  BOOST_TEST(mentions(script, "set output 'time.svg'"));
  BOOST_TEST(mentions(script, "set output 'time.png'"));
}

BOOST_AUTO_TEST_CASE(bars_stand_side_by_side) {
  Figure figure;
  figure.bars = true;
  figure.categories = {"x", "y z"};
  figure.curves = {{"a", CurveStyle::marked_line, {{0, 1}, {1, 2}}},
                   {"b", CurveStyle::marked_line, {{1, 3}}}};
  const std::string script = gnuplot_script(figure, "bars");
  BOOST_TEST(mentions(script, "\"x\" 1 NaN\n\"y z\" 2 3\n"));
  BOOST_TEST(mentions(script, "$bars using 2 title 'a'"));
  BOOST_TEST(mentions(script, "$bars using 3 title 'b'"));
}

// A title comes from a file that a stranger may have written, and gnuplot can run commands.
BOOST_AUTO_TEST_CASE(a_text_is_never_a_command) {
  Figure figure;
  figure.title = "it's`id`\nsystem('id')";
  figure.curves = {{"'; !id", CurveStyle::marks, {{1, 1}}}};
  const std::string script = gnuplot_script(figure, "s");
  BOOST_TEST(mentions(script, "set title 'it''s`id` system(''id'')' noenhanced"));
  BOOST_TEST(mentions(script, "title '''; !id' noenhanced"));
}

BOOST_AUTO_TEST_CASE(a_figure_without_points_is_still_a_picture) {
  BOOST_TEST(mentions(gnuplot_script(Figure(), "none"), "no points"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
