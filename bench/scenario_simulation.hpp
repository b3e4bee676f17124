// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "measured_run.hpp"

namespace petal::bench {

/// A scenario on PETAL with no reader attached. `events` of the simulation are its stages, which the caller
/// knows from `count_stages`.
Simulation scenario(const std::string& yaml, const std::vector<std::string>& sets, std::uint64_t stages);

/// The stages of a scenario: measured by a run with a reader that counts them.
std::uint64_t count_stages(const std::string& yaml, const std::vector<std::string>& sets);

}  // namespace petal::bench
