// SPDX-License-Identifier: Apache-2.0
//
// DispatchFit: FIXED and R of `dispatch_cycles = FIXED + logical_bytes * R`, from measured times.
#pragma once

#include <vector>

#include "petal/calibrate/measurement.hpp"

namespace petal {

struct DispatchFit {
  double clock_ghz = 1;
  double fixed_per_cmd_cycles = 0;
  double byte_cycles_recip = 0;
  std::vector<double> residuals;  ///< of each measurement: measured minus fitted, cycles
  std::size_t worst = 0;          ///< the measurement with the largest residual, the first of equals
  double rms = 0;                 ///< root of the residuals' mean square, cycles
  double r_squared = 1;           ///< share of the times' variance that the fit explains; 1 if they have none

  double max_residual() const;  ///< without its sign, cycles
  double fitted_ns(double logical_bytes) const;
};

/// The least-squares fit, in cycles of the clock. A FIXED or R that is 0 but for rounding is 0.
///
/// Throws ConfigError, saying what to do, if the measurements have fewer than two byte counts, if FIXED or R
/// comes out negative, or beyond what a scenario may have.
DispatchFit fit_dispatch(const std::vector<Measurement>& measurements, double clock_ghz);

}  // namespace petal
