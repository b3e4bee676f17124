// SPDX-License-Identifier: Apache-2.0
#include "petal/calibrate/calibration_text.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "petal/config/scenario_loader.hpp"

namespace petal {
namespace {

// Bytes 0, 1, 2 and times 1, 1, 4 (dispatch_fit_test.cpp has the numbers).
const std::vector<Measurement> kMeasurements = {{0, 1, 2}, {1, 1, 3}, {2, 4, 4}};

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

BOOST_AUTO_TEST_SUITE(calibration_report)

BOOST_AUTO_TEST_CASE(the_text_says_how_good_the_fit_is) {
  const std::string text = calibration_text(fit_dispatch(kMeasurements, 1), kMeasurements);
  for (const char* part :
       {"FIXED              0.5 cycles", "R                  1.5 cycles/byte", "R^2                0.75",
        "rms residual       0.7071 cycles", "largest residual   1 cycles, 1 ns (line 3: 1 bytes, 1 ns)"})
    BOOST_TEST(mentions(text, part), part);
}

BOOST_AUTO_TEST_CASE(the_json_has_every_residual) {
  const auto json = calibration_json(fit_dispatch(kMeasurements, 2), kMeasurements);
  BOOST_TEST(json.at("clock_ghz").get<double>() == 2);
  BOOST_TEST(json.at("byte_cycles_recip").get<double>() == 3);
  BOOST_TEST(json.at("residuals_cycles").size() == 3U);
  BOOST_TEST(json.at("max_residual_line") == 3);
}

// The preset is a scenario, and one may paste it into another.
BOOST_AUTO_TEST_CASE(the_preset_sets_fixed_and_r_and_nothing_else) {
  const std::string yaml =
      preset_yaml(fit_dispatch({{54, 43.375, 1}, {322, 60.125, 2}}, 1), 2, "m.csv", "0.1.0");
  const PeConfig pe = scenario_from_text(yaml).platform.pes.at(0);
  BOOST_TEST(pe.cost.fixed_per_cmd_cycles == 40.0);
  BOOST_TEST(pe.cost.byte_cycles_recip == 0.0625);
  BOOST_TEST(pe.cost.max_composite_logical_bytes == 1024U);
  BOOST_TEST(mentions(yaml, "m.csv"));
  BOOST_TEST(mentions(yaml, "1 GHz"));
}

BOOST_AUTO_TEST_CASE(the_picture_has_the_measurements_and_the_line) {
  const Figure figure = calibration_figure(fit_dispatch(kMeasurements, 1), kMeasurements, "m.csv");
  BOOST_REQUIRE(figure.curves.size() == 2U);
  BOOST_TEST(figure.curves[0].points.size() == 3U);
  BOOST_TEST((figure.curves[1].points.back() == std::make_pair(2.0, 3.5)));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
