// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "petal/config/config_diagnostics.hpp"
#include "petal/config/config_layer.hpp"
#include "petal/config/sweep_config.hpp"

namespace petal {

/// Puts the key `relative` of the section `sweep`, one of `sweep_paths`, into `sweep`. Mistakes go to
/// `diagnostics`. Whether keys, kernels and columns exist is for `petal sweep` to say.
void read_sweep_key(SweepConfig& sweep, const std::string& relative, const GivenValue& given,
                    ConfigDiagnostics& diagnostics);

}  // namespace petal
