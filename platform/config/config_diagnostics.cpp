// SPDX-License-Identifier: Apache-2.0
#include "petal/config/config_diagnostics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "petal/command/error.hpp"

namespace petal {

namespace {

// A file of a million wrong keys gets an answer at once, and nobody reads more.
constexpr std::size_t kMostMistakes = 100;

}  // namespace

void ConfigDiagnostics::add(const ConfigOrigin& origin, const std::string& path, const std::string& value,
                            const std::string& what) {
  std::string line = origin.source;
  if (origin.line > 0) line += fmt::format(":{}", origin.line);
  if (!path.empty()) line += ": " + path;
  if (!value.empty()) line += ": value " + value;
  line += ": " + what;
  if (std::find(lines_.begin(), lines_.end(), line) != lines_.end()) return;
  lines_.push_back(line);
  if (lines_.size() < kMostMistakes) return;
  lines_.push_back(fmt::format("{}: stopped after {} mistakes", origin.source, kMostMistakes));
  raise_if_any();
}

void ConfigDiagnostics::raise_if_any() const {
  if (!lines_.empty()) throw ConfigError(fmt::format("{}", fmt::join(lines_, "\n")));
}

}  // namespace petal
