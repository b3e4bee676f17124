// SPDX-License-Identifier: Apache-2.0
#include "petal/calibrate/dispatch_fit.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "petal/command/error.hpp"
#include "petal/config/schema_limits.hpp"

namespace petal {

namespace {

constexpr double kRounding = 1e-9;

void require_two_byte_counts(const std::vector<Measurement>& measurements) {
  const bool differ = std::any_of(measurements.begin(), measurements.end(), [&](const Measurement& m) {
    return m.logical_bytes != measurements.front().logical_bytes;
  });
  if (!differ)
    throw ConfigError(
        fmt::format("all commands have {} bytes: FIXED and R cannot be told apart; measure commands of two "
                    "sizes at least",
                    measurements.empty() ? 0 : measurements.front().logical_bytes));
}

/// Bytes and cycles about their means: so the fit loses no digits to large, nearly equal numbers.
struct Centred {
  Eigen::VectorXd bytes;
  Eigen::VectorXd cycles;
  double mean_bytes = 0;
  double mean_cycles = 0;

  Centred(const std::vector<Measurement>& measurements, double clock_ghz)
      : bytes(static_cast<Eigen::Index>(measurements.size())), cycles(bytes.size()) {
    for (Eigen::Index i = 0; i < bytes.size(); ++i) {
      const Measurement& m = measurements[static_cast<std::size_t>(i)];
      bytes[i] = static_cast<double>(m.logical_bytes);
      cycles[i] = m.ns * clock_ghz;
    }
    mean_bytes = bytes.mean();
    mean_cycles = cycles.mean();
    bytes.array() -= mean_bytes;
    cycles.array() -= mean_cycles;
  }
};

void require_usable(const DispatchFit& fit) {
  if (fit.byte_cycles_recip < 0)
    throw ConfigError(fmt::format(
        "R comes out negative ({:.6g} cycles/byte): the times fall as commands grow; measure a wider "
        "range of sizes, or more often, and leave out what is no dispatch",
        fit.byte_cycles_recip));
  if (fit.fixed_per_cmd_cycles < 0)
    throw ConfigError(fmt::format(
        "FIXED comes out negative ({:.6g} cycles): the times grow faster than by a constant and a rate; "
        "measure smaller commands too, and leave out sizes beyond the cap or outliers",
        fit.fixed_per_cmd_cycles));
  if (fit.fixed_per_cmd_cycles > kMostCycles || fit.byte_cycles_recip > kMostCyclesPerByte)
    throw ConfigError(fmt::format(
        "FIXED {:.6g} cycles and R {:.6g} cycles/byte: a scenario may have up to {:.6g} and {:.6g}; are "
        "the times nanoseconds?",
        fit.fixed_per_cmd_cycles, fit.byte_cycles_recip, kMostCycles, kMostCyclesPerByte));
}

double rounded_to_zero(double value, double scale) {
  return std::abs(value) <= kRounding * scale ? 0.0 : value;
}

void add_residuals(DispatchFit& fit, const std::vector<Measurement>& measurements, double variation) {
  double squares = 0;
  for (const Measurement& m : measurements) {
    const double fitted =
        fit.fixed_per_cmd_cycles + static_cast<double>(m.logical_bytes) * fit.byte_cycles_recip;
    fit.residuals.push_back(m.ns * fit.clock_ghz - fitted);
    squares += fit.residuals.back() * fit.residuals.back();
    if (std::abs(fit.residuals.back()) > fit.max_residual()) fit.worst = fit.residuals.size() - 1;
  }
  fit.rms = std::sqrt(squares / static_cast<double>(measurements.size()));
  fit.r_squared = variation > 0 ? 1 - squares / variation : 1.0;
}

}  // namespace

double DispatchFit::max_residual() const {
  return std::abs(residuals[worst]);
}

double DispatchFit::fitted_ns(double logical_bytes) const {
  return (fixed_per_cmd_cycles + logical_bytes * byte_cycles_recip) / clock_ghz;
}

DispatchFit fit_dispatch(const std::vector<Measurement>& measurements, double clock_ghz) {
  require_two_byte_counts(measurements);
  const Centred centred(measurements, clock_ghz);
  const double slope = centred.bytes.dot(centred.cycles) / centred.bytes.squaredNorm();
  const double largest = centred.cycles.array().abs().maxCoeff() + std::abs(centred.mean_cycles);
  DispatchFit fit;
  fit.clock_ghz = clock_ghz;
  fit.byte_cycles_recip = rounded_to_zero(slope, largest / (1 + centred.bytes.array().abs().maxCoeff()));
  fit.fixed_per_cmd_cycles =
      rounded_to_zero(centred.mean_cycles - fit.byte_cycles_recip * centred.mean_bytes, largest);
  require_usable(fit);
  const double variation = rounded_to_zero(centred.cycles.norm(), largest);
  add_residuals(fit, measurements, variation * variation);
  return fit;
}

}  // namespace petal
