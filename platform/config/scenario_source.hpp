// SPDX-License-Identifier: Apache-2.0
//
// What one source says about a scenario, key by key, before defaults, presets and other sources come in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "petal/config/config_layer.hpp"
#include "petal/config/scenario_config.hpp"
#include "petal/config/sweep_config.hpp"

namespace petal {

/// An entry of platform.pes.
struct PeEntry {
  std::string name;
  ConfigOrigin name_origin;
  std::string path;  ///< "platform.pes[3]"
  ConfigLayer<PeConfig> layer;
};

/// A scenario file, or all `--set` options together.
struct ScenarioSource {
  ConfigLayer<ScenarioConfig> scenario;
  ConfigLayer<LaunchConfig> launch;
  ConfigLayer<PeConfig> pe;
  ConfigLayer<HbmConfig> hbm;
  std::optional<std::uint64_t> pe_count;  ///< platform.pes as a number
  ConfigOrigin pes_origin;
  std::vector<PeEntry> pes;                         ///< platform.pes as a list
  std::vector<ConfigLayer<LaunchConfig>> launches;  ///< empty if there is no such key
  std::optional<SweepConfig> sweep;
};

/// Reads a document. Mistakes go to `diagnostics`, with `name` as their source.
ScenarioSource read_document(const YamlDocument& document, const std::string& name,
                             ConfigDiagnostics& diagnostics);

/// Reads options "key.path=value"; where two set the same key, the later one counts. A path may be shortened
/// from the front as long as one key only ends in it.
ScenarioSource read_sets(const std::vector<std::string>& sets, ConfigDiagnostics& diagnostics);

/// The full path of a key that `--set` may name, from a full or shortened one. Throws ConfigError with the
/// candidates if several keys end in `path`, with the nearest key if none does.
std::string full_key_path(const std::string& path);

/// The value `text` of the key at a full path as the effective configuration writes it, so that equal values
/// have equal texts: "8e1" is "80". Throws ConfigError with what is allowed.
std::string canonical_value(const std::string& path, const std::string& text);

}  // namespace petal
