// SPDX-License-Identifier: Apache-2.0
#include "petal/config/scenario_source.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "petal/command/error.hpp"
#include "petal/config/key_names.hpp"
#include "petal/config/schema_limits.hpp"
#include "petal/config/section_walk.hpp"
#include "petal/config/sweep_schema.hpp"
#include "petal/config/sweep_source.hpp"

namespace petal {

namespace {

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

std::vector<std::string> settable_paths() {
  std::vector<std::string> paths = paths_of(scenario_keys());
  append(paths, paths_of(launch_keys()));
  append(paths, paths_of(pe_keys(), kPePrefix));
  append(paths, paths_of(hbm_keys(), kHbmPrefix));
  paths.emplace_back(kPesPath);
  return paths;
}

const KeyNames& settable_names() {
  static const KeyNames names(settable_paths());
  return names;
}

const KeyNames& root_names() {
  static const KeyNames names([] {
    std::vector<std::string> paths = settable_paths();
    paths.emplace_back(kLaunchesPath);
    append(paths, sweep_paths());
    return paths;
  }());
  return names;
}

const KeyNames& pe_entry_names() {
  static const KeyNames names([] {
    std::vector<std::string> paths = paths_of(pe_keys());
    paths.emplace_back(kPeNameKey);
    return paths;
  }());
  return names;
}

const KeyNames& launch_entry_names() {
  static const KeyNames names(paths_of(launch_keys()));
  return names;
}

class SourceReader {
 public:
  explicit SourceReader(ConfigDiagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void read_root(const YamlNode& map, const std::string& name) {
    SectionWalk(name, "", root_names(), diagnostics_)
        .walk(map, [this](const std::string& path, const GivenValue& given) { take(path, given); });
  }

  // `path` is a full one, of a key that exists.
  void take(const std::string& path, const GivenValue& given) {
    if (path == kPesPath)
      take_pes(given);
    else if (path == kLaunchesPath)
      take_launches(given);
    else if (path.rfind(kSweepPrefix, 0) == 0)
      take_sweep(path.substr(std::string(kSweepPrefix).size()), given);
    else if (path.rfind(kPePrefix, 0) == 0)
      assign(source_.pe, pe_keys(), path.substr(std::string(kPePrefix).size()), given, diagnostics_);
    else if (path.rfind(kHbmPrefix, 0) == 0)
      assign(source_.hbm, hbm_keys(), path.substr(std::string(kHbmPrefix).size()), given, diagnostics_);
    else if (!assign(source_.launch, launch_keys(), path, given, diagnostics_))
      assign(source_.scenario, scenario_keys(), path, given, diagnostics_);
  }

  ScenarioSource result() && { return std::move(source_); }

 private:
  void take_pes(const GivenValue& given) {
    source_.pes_origin = given.origin;
    if (given.node->kind == YamlNode::Kind::list) {
      take_pe_list(given);
      return;
    }
    const ParsedValue count = integer_type(1, kMostPes).parse(*given.node);
    if (count.problem.empty())
      source_.pe_count = std::get<std::uint64_t>(count.value);
    else
      diagnostics_.add(given.origin, given.path, brief(*given.node), count.problem + ", or a list of maps");
  }

  void take_pe_list(const GivenValue& given) {
    for_each_entry(given, diagnostics_, [this](const GivenValue& item) {
      PeEntry entry{fmt::format("pe{}", source_.pes.size()), item.origin, item.path, {}};
      SectionWalk(item.origin.source, item.path + ".", pe_entry_names(), diagnostics_)
          .walk(*item.node, [&](const std::string& relative, const GivenValue& value) {
            if (relative == kPeNameKey)
              take_name(entry, value);
            else
              assign(entry.layer, pe_keys(), relative, value, diagnostics_);
          });
      source_.pes.push_back(std::move(entry));
    });
  }

  void take_name(PeEntry& entry, const GivenValue& given) {
    const ParsedValue name = text_type().parse(*given.node);
    entry.name_origin = given.origin;
    if (name.problem.empty())
      entry.name = std::get<std::string>(name.value);
    else
      diagnostics_.add(given.origin, given.path, brief(*given.node), name.problem);
  }

  void take_launches(const GivenValue& given) {
    for_each_entry(given, diagnostics_, [this](const GivenValue& item) {
      ConfigLayer<LaunchConfig> layer;
      SectionWalk(item.origin.source, item.path + ".", launch_entry_names(), diagnostics_)
          .walk(*item.node, [&](const std::string& relative, const GivenValue& value) {
            assign(layer, launch_keys(), relative, value, diagnostics_);
          });
      source_.launches.push_back(std::move(layer));
    });
  }

  void take_sweep(const std::string& relative, const GivenValue& given) {
    if (!source_.sweep) source_.sweep.emplace();
    read_sweep_key(*source_.sweep, relative, given, diagnostics_);
  }

  ConfigDiagnostics& diagnostics_;
  ScenarioSource source_;
};

// The type of the key at a full path of `settable_paths`.
ValueType type_of(const std::string& path) {
  const auto below = [&](const char* prefix) { return path.substr(std::string(prefix).size()); };
  if (path.rfind(kPePrefix, 0) == 0) return find_key(pe_keys(), below(kPePrefix))->type;
  if (path.rfind(kHbmPrefix, 0) == 0) return find_key(hbm_keys(), below(kHbmPrefix))->type;
  if (const auto* key = find_key(launch_keys(), path)) return key->type;
  if (const auto* key = find_key(scenario_keys(), path)) return key->type;
  return integer_type(1, kMostPes);  // platform.pes
}

constexpr const char* kSetSource = "--set";

void read_set(const std::string& option, SourceReader& reader, ConfigDiagnostics& diagnostics) {
  const ConfigOrigin origin{kSetSource, 0};
  const std::size_t equals = option.find('=');
  if (equals == std::string::npos || equals == 0) {
    diagnostics.add(origin, "", fmt::format("'{}'", option), "must be key.path=value");
    return;
  }
  try {
    const std::string path = full_key_path(option.substr(0, equals));
    const std::string text = option.substr(equals + 1);
    const YamlDocument document = parse_yaml(text);
    if (document.problems.empty())
      reader.take(path, {document.root, origin, path});
    else
      diagnostics.add(origin, path, fmt::format("'{}'", text),
                      "cannot be read: " + document.problems[0].message);
  } catch (const ConfigError& error) {
    diagnostics.add(origin, "", "", error.what());
  }
}

}  // namespace

ScenarioSource read_document(const YamlDocument& document, const std::string& name,
                             ConfigDiagnostics& diagnostics) {
  for (const YamlDocument::Problem& problem : document.problems)
    diagnostics.add({name, problem.line}, "", "", problem.message);
  SourceReader reader(diagnostics);
  if (document.root == nullptr) return std::move(reader).result();
  if (document.root->kind == YamlNode::Kind::map)
    reader.read_root(*document.root, name);
  else if (document.problems.empty())
    diagnostics.add(
        {name, document.root->line}, "", "",
        fmt::format("the file holds {}, not a map of keys (is a ':' missing?)", brief(*document.root)));
  return std::move(reader).result();
}

ScenarioSource read_sets(const std::vector<std::string>& sets, ConfigDiagnostics& diagnostics) {
  SourceReader reader(diagnostics);
  for (const std::string& option : sets) read_set(option, reader, diagnostics);
  return std::move(reader).result();
}

std::string canonical_value(const std::string& path, const std::string& text) {
  const YamlDocument document = parse_yaml(text);
  if (!document.problems.empty())
    throw ConfigError(
        fmt::format("{}: value '{}': cannot be read: {}", path, text, document.problems[0].message));
  const ValueType type = type_of(path);
  const ParsedValue parsed = type.parse(*document.root);
  if (!parsed.problem.empty())
    throw ConfigError(fmt::format("{}: value {}: {}", path, brief(*document.root), parsed.problem));
  return text_of(type, parsed.value);
}

std::string full_key_path(const std::string& path) {
  const std::vector<std::string> found = settable_names().matching(path);
  if (found.size() == 1) return found.front();
  if (found.empty() && path.find_first_of("[]") != std::string::npos)
    throw ConfigError(
        fmt::format("{}: entries of a list are set in the file; set platform.pe.* for all PEs", path));
  if (found.empty() && path == kLaunchesPath)
    throw ConfigError(fmt::format("{}: a list of maps, to be written in the file", path));
  if (found.empty())
    throw ConfigError(
        fmt::format("{}: no such key; nearest valid key '{}'", path, settable_names().nearest(path)));
  throw ConfigError(fmt::format("{}: several keys end so; write one of {} (or enough of its end)", path,
                                fmt::join(found, ", ")));
}

}  // namespace petal
