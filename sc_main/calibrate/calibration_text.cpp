// SPDX-License-Identifier: Apache-2.0
#include "petal/calibrate/calibration_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

namespace petal {

namespace {

/// What was measured of one size.
struct SizeRow {
  std::size_t count = 0;
  double sum_ns = 0;
  double max_residual = 0;  // cycles

  double mean_ns() const { return sum_ns / static_cast<double>(count); }
};

std::map<std::uint64_t, SizeRow> rows_by_size(const DispatchFit& fit,
                                              const std::vector<Measurement>& measurements) {
  std::map<std::uint64_t, SizeRow> rows;
  for (std::size_t i = 0; i < measurements.size(); ++i) {
    SizeRow& row = rows[measurements[i].logical_bytes];
    ++row.count;
    row.sum_ns += measurements[i].ns;
    row.max_residual = std::max(row.max_residual, std::abs(fit.residuals[i]));
  }
  return rows;
}

/// Enough digits for a scenario, and none that are rounding.
std::string number(double value) {
  return fmt::format("{:.9g}", value);
}

}  // namespace

std::string calibration_text(const DispatchFit& fit, const std::vector<Measurement>& measurements) {
  const Measurement& worst = measurements[fit.worst];
  std::string text = fmt::format(
      "FIXED              {} cycles a command\nR                  {} cycles/byte\n"
      "clock              {} GHz\nmeasurements       {}\nR^2                {:.6g}\n"
      "rms residual       {:.4g} cycles, {:.4g} ns\n"
      "largest residual   {:.4g} cycles, {:.4g} ns (line {}: {} bytes, {} ns)\n\n",
      number(fit.fixed_per_cmd_cycles), number(fit.byte_cycles_recip), fit.clock_ghz, measurements.size(),
      fit.r_squared, fit.rms, fit.rms / fit.clock_ghz, fit.max_residual(), fit.max_residual() / fit.clock_ghz,
      worst.line, worst.logical_bytes, worst.ns);
  text += fmt::format("{:>13} {:>7} {:>12} {:>12} {:>18}\n", "logical_bytes", "count", "mean ns", "fitted ns",
                      "largest residual");
  for (const auto& [bytes, row] : rows_by_size(fit, measurements))
    text += fmt::format("{:>13} {:>7} {:>12.3f} {:>12.3f} {:>15.3f} ns\n", bytes, row.count, row.mean_ns(),
                        fit.fitted_ns(static_cast<double>(bytes)), row.max_residual / fit.clock_ghz);
  return text;
}

nlohmann::ordered_json calibration_json(const DispatchFit& fit,
                                        const std::vector<Measurement>& measurements) {
  return {{"fixed_per_cmd_cycles", fit.fixed_per_cmd_cycles},
          {"byte_cycles_recip", fit.byte_cycles_recip},
          {"clock_ghz", fit.clock_ghz},
          {"measurements", measurements.size()},
          {"r_squared", fit.r_squared},
          {"rms_residual_cycles", fit.rms},
          {"max_residual_cycles", fit.max_residual()},
          {"max_residual_line", measurements[fit.worst].line},
          {"residuals_cycles", fit.residuals}};
}

std::string preset_yaml(const DispatchFit& fit, std::size_t measurements, const std::string& source,
                        const std::string& version) {
  return fmt::format(
      "# FIXED and R as petal calibrate {} fitted them to {}:\n"
      "# {} measurements, R^2 {:.6g}, rms residual {:.4g} cycles, largest {:.4g} cycles.\n"
      "# Cycles of {} GHz: a PE with another clock_freq_ghz takes other times.\n"
      "platform:\n  pe:\n    attrs:\n      pe_cost_model: {{fixed_per_cmd_cycles: {}, byte_cycles_recip: "
      "{}}}\n",
      version, source, measurements, fit.r_squared, fit.rms, fit.max_residual(), fit.clock_ghz,
      number(fit.fixed_per_cmd_cycles), number(fit.byte_cycles_recip));
}

Figure calibration_figure(const DispatchFit& fit, const std::vector<Measurement>& measurements,
                          const std::string& source) {
  Figure figure;
  figure.title = fmt::format("{}: {} + {} x bytes, cycles at {} GHz; R^2 {:.5g}", source,
                             number(fit.fixed_per_cmd_cycles), number(fit.byte_cycles_recip), fit.clock_ghz,
                             fit.r_squared);
  figure.x_label = "logical bytes";
  figure.y_label = "ns";
  Curve measured{"measured", CurveStyle::marks, {}};
  for (const Measurement& m : measurements)
    measured.points.emplace_back(static_cast<double>(m.logical_bytes), m.ns);
  const auto [least, most] = std::minmax_element(measured.points.begin(), measured.points.end());
  Curve fitted{"fitted", CurveStyle::line, {{0, fit.fitted_ns(0)}}};
  for (const double bytes : {least->first, most->first})
    fitted.points.emplace_back(bytes, fit.fitted_ns(bytes));
  figure.curves = {measured, fitted};
  return figure;
}

}  // namespace petal
