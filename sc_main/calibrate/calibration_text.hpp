// SPDX-License-Identifier: Apache-2.0
//
// A DispatchFit for people, for programs, for scenarios and as a picture.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "petal/calibrate/dispatch_fit.hpp"
#include "petal/calibrate/measurement.hpp"
#include "petal/plot/figure.hpp"

namespace petal {

/// FIXED, R and how good they are, then a line for each size: how often it was measured, the mean, the fit
/// and the largest residual.
std::string calibration_text(const DispatchFit& fit, const std::vector<Measurement>& measurements);

nlohmann::ordered_json calibration_json(const DispatchFit& fit, const std::vector<Measurement>& measurements);

/// A piece of a scenario that sets FIXED and R, with a comment that says where they are from.
std::string preset_yaml(const DispatchFit& fit, std::size_t measurements, const std::string& source,
                        const std::string& version);

/// The measurements and the fit.
Figure calibration_figure(const DispatchFit& fit, const std::vector<Measurement>& measurements,
                          const std::string& source);

}  // namespace petal
