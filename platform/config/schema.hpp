// SPDX-License-Identifier: Apache-2.0
//
// The one table of all keys of a scenario file. It drives reading, `--set`, the errors and their hints, the
// dump of the effective configuration and the documentation; a new key is one new line of this table and one
// field.
#pragma once

#include <string>
#include <vector>

#include "petal/config/config_key.hpp"
#include "petal/config/scenario_config.hpp"

namespace petal {

/// Keys at the root of a scenario that belong to the scenario as a whole.
const std::vector<ConfigKey<ScenarioConfig>>& scenario_keys();
/// Keys of the work: at the root, and in each entry of `launches`.
const std::vector<ConfigKey<LaunchConfig>>& launch_keys();
/// Keys of a PE: under platform.pe, and in each entry of platform.pes.
const std::vector<ConfigKey<PeConfig>>& pe_keys();
/// Keys under platform.hbm.
const std::vector<ConfigKey<HbmConfig>>& hbm_keys();

/// The key of that path in a table, or null.
template <typename Owner>
const ConfigKey<Owner>* find_key(const std::vector<ConfigKey<Owner>>& keys, const std::string& path) {
  for (const ConfigKey<Owner>& key : keys)
    if (key.path == path) return &key;
  return nullptr;
}

/// Whether `key` of the table `keys` counts in `owner`: whether the choice that it belongs to was made.
template <typename Owner>
bool is_used(const std::vector<ConfigKey<Owner>>& keys, const ConfigKey<Owner>& key, const Owner& owner) {
  return !key.only_with || find_key(keys, key.only_with->path)->get(owner) == Value(key.only_with->word);
}

/// The paths of a table's keys, each after `prefix`.
template <typename Owner>
std::vector<std::string> paths_of(const std::vector<ConfigKey<Owner>>& keys, const std::string& prefix = {}) {
  std::vector<std::string> paths;
  for (const ConfigKey<Owner>& key : keys) paths.push_back(prefix + key.path);
  return paths;
}

inline constexpr const char* kPePrefix = "platform.pe.";
inline constexpr const char* kHbmPrefix = "platform.hbm.";
inline constexpr const char* kPesPath = "platform.pes";
inline constexpr const char* kPeNameKey = "name";
inline constexpr const char* kLaunchesPath = "launches";
/// A root key that begins so is not read: a place for anchors to be merged elsewhere.
inline constexpr const char* kAnchorHolderPrefix = "x-";

/// The part of a key that documentation needs.
struct SchemaEntry {
  std::string path;  ///< in full: "platform.pe.attrs.pe_dma.outstanding"
  std::string type;
  std::string unit;
  std::string allowed;
  std::string default_text;
  std::string doc;
};

/// Every key, in the order of the effective configuration.
std::vector<SchemaEntry> schema_entries();
/// The schema as a table, one key a line: what `petal config` prints.
std::string schema_text();

}  // namespace petal
