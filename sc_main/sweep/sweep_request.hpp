// SPDX-License-Identifier: Apache-2.0
//
// SweepRequest: what a sweep was asked to do, complete: with it and the program alone the same grid can be
// made again, elsewhere and later. A sweep's folder holds it in `sweep.json`.
#pragma once

#include <string>
#include <vector>

#include "petal/config/scenario_config.hpp"
#include "petal/sweep/sweep_grid.hpp"
#include "petal/sweep/sweep_table.hpp"

namespace petal {

struct SweepRequest {
  std::string version;   ///< of the program
  std::string scenario;  ///< the file's name, for people
  std::string text;      ///< its contents
  std::vector<std::string> sets;
  std::vector<std::string> kernels;
};

/// As the contents of `sweep.json`, and back. The second throws ConfigError for other text, naming `path`.
std::string request_json(const SweepRequest& request);
SweepRequest request_from_json(const std::string& json, const std::string& path);

/// Why points of `before` are no points of `now`, in words that name the first difference ("kv_len has the
/// values 1024, 2048 and had 1024"); empty if they are the same. Spelling does not count where values are
/// equal; the scenario's text does.
std::string difference(const SweepRequest& before, const SweepRequest& now);

/// What a request comes to. Throws ConfigError if the scenario, the grid or a column is no good.
struct PlannedSweep {
  explicit PlannedSweep(const SweepRequest& request);

  ScenarioConfig scenario;
  SweepConfig study;  ///< the scenario's section `sweep`, or an empty one
  SweepGrid grid;
  SweepTable table;  ///< without rows
};

}  // namespace petal
