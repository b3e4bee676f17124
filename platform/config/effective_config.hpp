// SPDX-License-Identifier: Apache-2.0
//
// A scenario with every value written out. Both forms are scenario files themselves and load as an equal
// scenario, so that an output that carries its configuration can be run again.
#pragma once

#include <string>

#include "petal/config/scenario_config.hpp"

namespace petal {

/// As YAML, one key a line. The PEs are a count if they differ in nothing but their default names; otherwise
/// a list of each PE's name and of what differs from the first PE, whose values stand under platform.pe.
std::string effective_yaml(const ScenarioConfig& config);

/// The same as JSON on one line.
std::string effective_json(const ScenarioConfig& config);

}  // namespace petal
