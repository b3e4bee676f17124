// SPDX-License-Identifier: Apache-2.0
//
// From a scenario file to a ScenarioConfig.
#pragma once

#include <string>
#include <vector>

#include "petal/config/scenario_config.hpp"

namespace petal {

/// Reads the file at `path` and the options `sets` ("key.path=value", a path may be shortened to a unique
/// end).
///
/// Throws ConfigError if anything is wrong. Its message has one line for each mistake, all of them at once:
/// "file:line: key.path: value 'x': what is allowed". A file of more than 4 MiB is refused.
ScenarioConfig load_scenario(const std::string& path, const std::vector<std::string>& sets = {});

/// The contents of the file at `path`. Throws ConfigError if it cannot be read or has more than 4 MiB.
std::string scenario_text(const std::string& path);

/// The same as `load_scenario` from the text of a file; `source` stands for the file's name in messages.
ScenarioConfig scenario_from_text(const std::string& text, const std::vector<std::string>& sets = {},
                                  const std::string& source = "scenario");

}  // namespace petal
