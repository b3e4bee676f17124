// SPDX-License-Identifier: Apache-2.0
//
// The same work by several kernels, side by side (SPEC 10, 12.8).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "petal/observe/summary.hpp"

namespace petal {

/// A table with a column a kernel. Speed-up is against the first of them; utilisations are shares of each
/// run's own time over all its PEs; a number that a kernel does not have is "-". Empty for no summaries.
std::string comparison_text(const std::vector<Summary>& summaries);

/// {schema, baseline, note, version, kernels: [{kernel, time_ps, speed_up, dispatch_per_tile, cpu, engines,
/// hazard_wait, verdict, verdict_reason}]}: times in ps, shares from 0 to 1.
nlohmann::ordered_json comparison_json(const std::vector<Summary>& summaries);

}  // namespace petal
