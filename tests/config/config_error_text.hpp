// SPDX-License-Identifier: Apache-2.0
//
// What the errors of a scenario say.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "petal/command/error.hpp"
#include "petal/config/scenario_loader.hpp"

namespace petal::test {

/// The message of the ConfigError that loading `text` (as "s.yaml") throws; empty if it loads.
inline std::string error_of(const std::string& text, const std::vector<std::string>& sets = {}) {
  try {
    scenario_from_text(text, sets, "s.yaml");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline std::ptrdiff_t line_count(const std::string& text) {
  return text.empty() ? 0 : std::count(text.begin(), text.end(), '\n') + 1;
}

}  // namespace petal::test
