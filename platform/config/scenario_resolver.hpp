// SPDX-License-Identifier: Apache-2.0
//
// Puts the sources of a scenario over each other. From weakest to strongest: defaults; the file; `--set`; and
// for one PE or one launch, what its own entry says. Within a source a preset (model, dispatch_preset,
// preset) is weaker than the keys it fills, and the scenario's preset weaker than a PE's.
#pragma once

#include "petal/config/config_diagnostics.hpp"
#include "petal/config/scenario_config.hpp"
#include "petal/config/scenario_source.hpp"

namespace petal {

/// The scenario with every value filled in. Values that do not go together are reported to `diagnostics`.
ScenarioConfig resolve(const ScenarioSource& file, const ScenarioSource& sets,
                       ConfigDiagnostics& diagnostics);

}  // namespace petal
