// SPDX-License-Identifier: Apache-2.0
#include "petal/device/pe_device_config.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <utility>
#include <vector>

#include "petal/command/error.hpp"
#include "petal/config/config_layer.hpp"
#include "petal/config/nearest_name.hpp"
#include "petal/config/scenario_loader.hpp"

namespace petal {
namespace {

using DeviceKeys = std::vector<ConfigKey<PeDeviceConfig>>;

constexpr const char* kSource = "device";
constexpr const char* kSection = "device";
constexpr double kMostLatency = 1e9;
constexpr std::uint64_t kMostPrefetch = 1024;

DeviceKeys make_keys() {
  DeviceKeys keys;
  keys.push_back(key_for<PeDeviceConfig>(
      "register_latency_ns", "ns", real_type(0.0, kMostLatency), "what an access to the registers takes",
      [](auto& device) -> auto& { return device.register_latency_ns; }));
  keys.push_back(key_for<PeDeviceConfig>(
      "prefetch", "steps", integer_type(1, kMostPrefetch), "read from the ring ahead of PE_CPU",
      [](auto& device) -> auto& { return device.prefetch; }));
  keys.push_back({"data", "", boolean_type(), "compute results, not only their time", "",
                  [](const PeDeviceConfig& device) { return Value(device.data == DataMode::on); },
                  [](PeDeviceConfig& device, const Value& value) {
                    device.data = std::get<bool>(value) ? DataMode::on : DataMode::off;
                  }});
  return keys;
}

std::string text_of(const YAML::Node& node) {
  YAML::Emitter out;
  out << node;
  return out.c_str();
}

/// The section `device`, as a document of its own.
void read_section(const YAML::Node& section, PeDeviceConfig& config) {
  const DeviceKeys keys = make_keys();
  ConfigDiagnostics diagnostics;
  const YamlDocument document = parse_yaml(text_of(section));
  if (document.root == nullptr || document.root->kind != YamlNode::Kind::map)
    throw ConfigError(fmt::format("{}: {}: must be a map of keys", kSource, kSection));
  ConfigLayer<PeDeviceConfig> layer;
  for (const YamlNode::Entry& entry : document.root->entries) {
    const std::string path = fmt::format("{}.{}", kSection, entry.key);
    const GivenValue given{entry.value, {kSource, entry.line}, path};
    if (!assign(layer, keys, entry.key, given, diagnostics))
      diagnostics.add(given.origin, path, brief(*entry.value),
                      fmt::format("no such key; nearest valid key '{}.{}'", kSection,
                                  nearest_name(entry.key, paths_of(keys))));
  }
  diagnostics.raise_if_any();
  put_values(config, layer);
}

PeConfig read_pe(const YAML::Node& keys) {
  YAML::Node pe = YAML::Clone(keys);
  pe.remove(kSection);
  const YAML::Node attrs = pe["attrs"];
  const bool has_place =
      !attrs.IsDefined() || (attrs.IsMap() && (!attrs["pe_dma"].IsDefined() || attrs["pe_dma"].IsMap()));
  if (has_place &&
      !(attrs.IsDefined() && attrs["pe_dma"].IsDefined() && attrs["pe_dma"]["interface"].IsDefined()))
    pe["attrs"]["pe_dma"]["interface"] = "bursts";
  YAML::Node scenario;
  scenario["platform"]["pe"] = pe;
  return scenario_from_text(text_of(scenario), {}, kSource).platform.pes.front();
}

}  // namespace

PeConfig default_device_pe() {
  PeConfig pe;
  pe.dma.interface = DmaInterface::bursts;
  return pe;
}

PeDeviceConfig device_config_from_yaml(const YAML::Node& node) {
  PeDeviceConfig config;
  if (!node.IsDefined() || node.IsNull()) return config;
  if (!node.IsMap()) throw ConfigError("device: a device's configuration must be a map of keys");
  config.pe = read_pe(node);
  if (const YAML::Node section = node[kSection]) read_section(section, config);
  return config;
}

}  // namespace petal
