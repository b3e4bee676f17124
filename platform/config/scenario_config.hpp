// SPDX-License-Identifier: Apache-2.0
//
// A scenario with every value filled in: the work, the platform it runs on, and the seed of the data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "petal/config/platform_config.hpp"
#include "petal/config/sweep_config.hpp"
#include "petal/config/workload_config.hpp"

namespace petal {

/// What `load_scenario` returns. All values have been checked against the schema and against each other.
struct ScenarioConfig {
  std::optional<std::string> kernel;  ///< of the scenario's root; a launch may name its own
  std::vector<std::string> compare{"gqa_decode_opt1", "gqa_decode_opt3", "gqa_decode_opt2"};
  WorkloadConfig workload;  ///< of the scenario's root
  std::vector<LaunchConfig> launches =
      std::vector<LaunchConfig>(1);      ///< never empty; without `launches:` it is the root's
  std::string dispatch_preset = "none";  ///< preset of every PE that has none of its own
  std::uint64_t seed = 1;                ///< of generated tensor data
  PlatformConfig platform;
  std::optional<SweepConfig> sweep;  ///< of the file; no part of the effective configuration
};

}  // namespace petal
