// SPDX-License-Identifier: Apache-2.0
#include "petal/config/effective_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "petal/config/schema.hpp"

namespace petal {

namespace {

using Json = nlohmann::ordered_json;

void insert(Json& map, const std::string& path, Json value) {
  const std::size_t dot = path.find('.');
  if (dot == std::string::npos)
    map[path] = std::move(value);
  else
    insert(map[path.substr(0, dot)], path.substr(dot + 1), std::move(value));
}

template <typename Owner>
void insert_values(Json& map, const std::vector<ConfigKey<Owner>>& keys, const Owner& owner,
                   const std::string& prefix = {}) {
  for (const ConfigKey<Owner>& key : keys) {
    if (!is_used(keys, key, owner)) continue;
    Json value = json_of(key.type, key.get(owner));
    if (!value.is_null()) insert(map, prefix + key.path, std::move(value));
  }
}

Json json_of(const LaunchConfig& launch) {
  Json map = Json::object();
  insert_values(map, launch_keys(), launch);
  return map;
}

// FIXED and R are written beside a preset that differs: read alone, the preset would set them.
bool belongs_to_preset(const std::string& path) {
  return path.rfind("attrs.pe_cost_model.", 0) == 0 &&
         path != "attrs.pe_cost_model.max_composite_logical_bytes";
}

// A key that only this PE's choice of a model brings in is not written for the base: it is written here,
// whatever its value.
bool is_different(const ConfigKey<PeConfig>& key, const PeConfig& pe, const PeConfig& base) {
  return key.get(pe) != key.get(base) || !is_used(pe_keys(), key, base) ||
         (pe.dispatch_preset != base.dispatch_preset && belongs_to_preset(key.path));
}

Json differences(const PeConfig& pe, const PeConfig& base) {
  Json map = Json::object();
  map[kPeNameKey] = pe.name;
  for (const ConfigKey<PeConfig>& key : pe_keys())
    if (is_used(pe_keys(), key, pe) && is_different(key, pe, base))
      insert(map, key.path, json_of(key.type, key.get(pe)));
  return map;
}

Json pes_json(const std::vector<PeConfig>& pes) {
  Json list = Json::array();
  bool is_plain_count = true;
  for (std::size_t i = 0; i < pes.size(); ++i) {
    list.push_back(differences(pes[i], pes[0]));
    is_plain_count = is_plain_count && list.back().size() == 1 && pes[i].name == fmt::format("pe{}", i);
  }
  return is_plain_count ? Json(pes.size()) : list;
}

Json json_of(const ScenarioConfig& config) {
  const Json root = json_of(LaunchConfig{config.kernel, config.workload});
  Json map = root;
  Json launches = Json::array();
  for (const LaunchConfig& launch : config.launches) launches.push_back(json_of(launch));
  if (launches.size() != 1 || launches[0] != root) map[kLaunchesPath] = std::move(launches);
  insert_values(map, scenario_keys(), config);
  insert(map, kPesPath, pes_json(config.platform.pes));
  insert_values(map, pe_keys(), config.platform.pes.at(0), kPePrefix);
  insert_values(map, hbm_keys(), config.platform.hbm, kHbmPrefix);
  return map;
}

std::string compact(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Words need no quotes in YAML, but for those it takes for "no value".
std::string scalar_text(const Json& json) {
  if (json.is_number_float()) return fmt::format("{}", json.get<double>());
  if (!json.is_string()) return compact(json);
  const auto& text = json.get_ref<const std::string&>();
  const bool is_word = !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) != 0 &&
                       std::all_of(text.begin(), text.end(), [](unsigned char c) {
                         return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.';
                       });
  return is_word && text != "null" && text != "Null" && text != "NULL" ? text : compact(json);
}

std::string list_text(const Json& list) {
  std::string text = "[";
  for (const Json& item : list) text += (text.size() > 1 ? ", " : "") + scalar_text(item);
  return text + "]";
}

void write_map(const Json& map, const std::string& indent, std::string& out) {
  for (const auto& [key, value] : map.items()) {
    if (value.is_object()) {
      out += fmt::format("{}{}:\n", indent, key);
      write_map(value, indent + "  ", out);
    } else if (value.is_array() && !value.empty() && value[0].is_object()) {
      out += fmt::format("{}{}:\n", indent, key);
      for (const Json& item : value) out += fmt::format("{}  - {}\n", indent, compact(item));
    } else {
      out += fmt::format("{}{}: {}\n", indent, key, value.is_array() ? list_text(value) : scalar_text(value));
    }
  }
}

}  // namespace

std::string effective_yaml(const ScenarioConfig& config) {
  std::string text;
  write_map(json_of(config), "", text);
  return text;
}

std::string effective_json(const ScenarioConfig& config) {
  return compact(json_of(config));
}

}  // namespace petal
