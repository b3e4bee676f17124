// SPDX-License-Identifier: Apache-2.0
//
// The fit, against numbers worked out by hand.
#include "petal/calibrate/dispatch_fit.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "petal/command/error.hpp"

namespace petal {
namespace {

using boost::test_tools::tolerance;

constexpr double kTight = 1e-12;

std::string refusal(const std::vector<Measurement>& measurements, double clock_ghz = 1) {
  try {
    fit_dispatch(measurements, clock_ghz);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

BOOST_AUTO_TEST_SUITE(dispatch_fit)

// ADR-0064's costs: 40 + bytes / 16.
BOOST_AUTO_TEST_CASE(exact_times_give_the_exact_cost) {
  const DispatchFit fit = fit_dispatch({{54, 43.375, 1}, {58, 43.625, 2}, {322, 60.125, 3}, {0, 40, 4}}, 1);
  BOOST_TEST(fit.fixed_per_cmd_cycles == 40.0, tolerance(kTight));
  BOOST_TEST(fit.byte_cycles_recip == 0.0625, tolerance(kTight));
  BOOST_TEST(fit.max_residual() < 1e-12);
  BOOST_TEST(fit.rms < 1e-12);
  BOOST_TEST(fit.r_squared == 1.0, tolerance(kTight));
  BOOST_TEST(fit.fitted_ns(16) == 41.0, tolerance(kTight));
}

// At 1.3 GHz 43.375 cycles are 33.3654 ns.
BOOST_AUTO_TEST_CASE(cycles_are_those_of_the_clock) {
  const DispatchFit fit = fit_dispatch({{54, 43.375 / 1.3, 1}, {322, 60.125 / 1.3, 2}}, 1.3);
  BOOST_TEST(fit.fixed_per_cmd_cycles == 40.0, tolerance(kTight));
  BOOST_TEST(fit.byte_cycles_recip == 0.0625, tolerance(kTight));
  BOOST_TEST(fit.fitted_ns(54) == 43.375 / 1.3, tolerance(kTight));
}

// Bytes 0, 1, 2 and times 1, 1, 4: the mean of both is 1 and 2, the sum of products about it 3, of squares 2.
// So R = 1.5, FIXED = 0.5, residuals 0.5, -1, 0.5; their squares sum to 1.5, those of the times about 2 to 6.
BOOST_AUTO_TEST_CASE(residuals_are_what_a_line_leaves) {
  const DispatchFit fit = fit_dispatch({{0, 1, 1}, {1, 1, 2}, {2, 4, 3}}, 1);
  BOOST_TEST(fit.byte_cycles_recip == 1.5, tolerance(kTight));
  BOOST_TEST(fit.fixed_per_cmd_cycles == 0.5, tolerance(kTight));
  BOOST_TEST(fit.residuals.at(0) == 0.5, tolerance(kTight));
  BOOST_TEST(fit.residuals.at(1) == -1.0, tolerance(kTight));
  BOOST_TEST(fit.residuals.at(2) == 0.5, tolerance(kTight));
  BOOST_TEST(fit.worst == 1U);
  BOOST_TEST(fit.max_residual() == 1.0, tolerance(kTight));
  BOOST_TEST(fit.rms == std::sqrt(0.5), tolerance(kTight));
  BOOST_TEST(fit.r_squared == 0.75, tolerance(kTight));
}

BOOST_AUTO_TEST_CASE(a_cost_without_one_of_its_parts_is_exactly_zero_there) {
  const DispatchFit no_fixed = fit_dispatch({{3, 0.3, 1}, {7, 0.7, 2}, {11, 1.1, 3}}, 1);
  BOOST_TEST(no_fixed.fixed_per_cmd_cycles == 0.0);
  BOOST_TEST(no_fixed.byte_cycles_recip == 0.1, tolerance(1e-9));
  const DispatchFit no_bytes = fit_dispatch({{54, 0.1, 1}, {322, 0.1, 2}, {1024, 0.1, 3}}, 1);
  BOOST_TEST(no_bytes.byte_cycles_recip == 0.0);
  BOOST_TEST(no_bytes.fixed_per_cmd_cycles == 0.1, tolerance(1e-9));
  BOOST_TEST(no_bytes.r_squared == 1.0, tolerance(1e-9));
}

// Large and nearly equal numbers lose no digits.
BOOST_AUTO_TEST_CASE(a_small_rate_on_large_times_is_found) {
  std::vector<Measurement> measurements;
  for (std::uint64_t bytes = 1000000; bytes < 1000010; ++bytes)
    measurements.push_back({bytes, 1e6 + 0.001 * static_cast<double>(bytes), 1});
  const DispatchFit fit = fit_dispatch(measurements, 1);
  BOOST_TEST(fit.byte_cycles_recip == 0.001, tolerance(1e-6));
  BOOST_TEST(fit.fixed_per_cmd_cycles == 1e6, tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(what_no_line_fits_is_refused_with_what_to_do) {
  BOOST_TEST(mentions(refusal({{54, 43, 1}, {54, 44, 2}}), "all commands have 54 bytes"));
  BOOST_TEST(mentions(refusal({{54, 43, 1}, {54, 44, 2}}), "measure commands of two sizes"));
  BOOST_TEST(mentions(refusal({{54, 43, 1}}), "all commands have 54 bytes"));
  BOOST_TEST(mentions(refusal({{10, 50, 1}, {20, 40, 2}}), "R comes out negative (-1 cycles/byte)"));
  BOOST_TEST(mentions(refusal({{10, 5, 1}, {20, 15, 2}}), "FIXED comes out negative (-5 cycles)"));
  BOOST_TEST(mentions(refusal({{10, 5, 1}, {20, 15, 2}}), "measure smaller commands"));
  BOOST_TEST(mentions(refusal({{0, 2e9, 1}, {1, 2e9, 2}}), "are the times nanoseconds?"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petal
