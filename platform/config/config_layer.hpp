// SPDX-License-Identifier: Apache-2.0
//
// What one source (a file, a list entry, the command line) says about one owner. Layers are put over each
// other: a later one wins over an earlier one, and within a layer a key wins over a preset.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "petal/config/config_diagnostics.hpp"
#include "petal/config/config_key.hpp"
#include "petal/config/schema.hpp"
#include "petal/config/yaml_tree.hpp"

namespace petal {

/// A value as it was found.
struct GivenValue {
  const YamlNode* node;
  ConfigOrigin origin;
  std::string path;  ///< in full, for messages
};

/// One key with its value; no value if the text was refused, which has been reported then.
template <typename Owner>
struct ConfigAssignment {
  const ConfigKey<Owner>* key;
  std::optional<Value> value;
  std::string shown;  ///< the value as an error message shows it
  ConfigOrigin origin;
  std::string path;
};

template <typename Owner>
using ConfigLayer = std::vector<ConfigAssignment<Owner>>;

/// Adds `given` to `layer` if `relative` is a key of `keys`; false if it is not.
template <typename Owner>
bool assign(ConfigLayer<Owner>& layer, const std::vector<ConfigKey<Owner>>& keys, const std::string& relative,
            const GivenValue& given, ConfigDiagnostics& diagnostics) {
  const ConfigKey<Owner>* key = find_key(keys, relative);
  if (key == nullptr) return false;
  ParsedValue parsed = key->type.parse(*given.node);
  const bool good = parsed.problem.empty();
  if (!good) diagnostics.add(given.origin, given.path, brief(*given.node), parsed.problem);
  layer.push_back({key, good ? std::optional<Value>(std::move(parsed.value)) : std::nullopt,
                   brief(*given.node), given.origin, given.path});
  return true;
}

/// The assignment that decides `relative`: the last one of the last layer that has it; null if none has.
template <typename Owner>
const ConfigAssignment<Owner>* deciding(const std::vector<const ConfigLayer<Owner>*>& layers,
                                        const std::string& relative) {
  const ConfigAssignment<Owner>* found = nullptr;
  for (const ConfigLayer<Owner>* layer : layers)
    for (const ConfigAssignment<Owner>& assignment : *layer)
      if (assignment.key->path == relative) found = &assignment;
  return found;
}

/// Puts the layer's values into `owner`.
template <typename Owner>
void put_values(Owner& owner, const ConfigLayer<Owner>& layer) {
  for (const ConfigAssignment<Owner>& assignment : layer)
    if (assignment.value) assignment.key->set(owner, *assignment.value);
}

}  // namespace petal
