// SPDX-License-Identifier: Apache-2.0
#include "petal/config/scenario_loader.hpp"

#include <filesystem>
#include <fstream>
#include <system_error>

#include "petal/command/error.hpp"
#include "petal/config/config_diagnostics.hpp"
#include "petal/config/scenario_resolver.hpp"
#include "petal/config/scenario_source.hpp"

namespace petal {

namespace {

constexpr std::size_t kLargestFile = std::size_t{4} << 20U;

}  // namespace

std::string scenario_text(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw ConfigError(path + ": is a directory; name a scenario file");
  if (!std::filesystem::exists(path, ignored)) throw ConfigError(path + ": no such file");
  std::ifstream in(path, std::ios::binary);
  // One byte beyond the limit tells that there is more, even where a file has no size (a device, a pipe).
  std::string text(kLargestFile + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!in.is_open() || in.bad()) throw ConfigError(path + ": cannot be read; check its permissions");
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > kLargestFile)
    throw ConfigError(path + ": is larger than 4 MiB; a scenario file never is");
  return text;
}

ScenarioConfig load_scenario(const std::string& path, const std::vector<std::string>& sets) {
  return scenario_from_text(scenario_text(path), sets, path);
}

ScenarioConfig scenario_from_text(const std::string& text, const std::vector<std::string>& sets,
                                  const std::string& source) {
  ConfigDiagnostics diagnostics;
  const ScenarioSource file = read_document(parse_yaml(text), source, diagnostics);
  const ScenarioSource options = read_sets(sets, diagnostics);
  ScenarioConfig config = resolve(file, options, diagnostics);
  diagnostics.raise_if_any();
  return config;
}

}  // namespace petal
