// SPDX-License-Identifier: Apache-2.0
//
// ScenarioBench: a scenario on a platform of its own, with readers attached.
#pragma once

#include <string>
#include <vector>

#include "petal/config/scenario_config.hpp"
#include "petal/scenario/scenario_run.hpp"
#include "support/event_log.hpp"

namespace petal::test {

class ScenarioBench {
 public:
  ScenarioBench(const ScenarioConfig& config, const std::string& kernel, const PlatformOptions& options = {});
  ScenarioBench(const ScenarioConfig& config, const ScenarioOptions& options);
  /// Replays `stream` on the scenario's platform.
  ScenarioBench(const ScenarioConfig& config, CommandStream stream, const std::string& kernel);

  const EventLog& log() const { return log_; }
  Summary summary() const { return run_.summary(); }
  std::string op_log() const;
  Platform& platform() { return run_.platform(); }

 private:
  EventLog log_;
  ScenarioRun run_;
};

/// The scenario file `name` of configs/.
ScenarioConfig shipped_scenario(const std::string& name, const std::vector<std::string>& sets = {});

/// One head of the main job on one PE, with the given number of keys.
ScenarioConfig small_decode(std::uint64_t kv_len, const std::vector<std::string>& sets = {});

/// The four decode kernels.
std::vector<std::string> decode_kernels();

/// Fails with the first line in which the two op_logs differ.
void require_same_text(const std::string& actual, const std::string& expected, const std::string& what);

}  // namespace petal::test
