// SPDX-License-Identifier: Apache-2.0
#include "petal/config/section_walk.hpp"

#include <fmt/format.h>

#include <utility>

#include "petal/config/schema.hpp"
#include "petal/config/schema_limits.hpp"

namespace petal {

namespace {

// Of PEs, of launches and of a sweep's cases alike.
constexpr std::size_t kMostListEntries = kMostPes;

}  // namespace

SectionWalk::SectionWalk(std::string source, std::string base, const KeyNames& names,
                         ConfigDiagnostics& diagnostics)
    : source_(std::move(source)), base_(std::move(base)), names_(names), diagnostics_(diagnostics) {}

void SectionWalk::walk_group(const YamlNode& map, const std::string& group, const OnKey& on_key) const {
  for (const YamlNode::Duplicate& duplicate : map.duplicates)
    diagnostics_.add({source_, duplicate.line}, base_ + group + duplicate.key, "",
                     fmt::format("the key comes twice, first on line {}, again on line {}; keep one",
                                 duplicate.first_line, duplicate.line));
  for (const YamlNode::Entry& entry : map.entries) walk_entry(entry, group, on_key);
}

void SectionWalk::walk_entry(const YamlNode::Entry& entry, const std::string& group,
                             const OnKey& on_key) const {
  const std::string relative = group + entry.key;
  const GivenValue given{entry.value, {source_, entry.line}, base_ + relative};
  // A dot in a key would read as a path that the file does not spell out, and hide a duplicate.
  const bool is_one_name = entry.key.find('.') == std::string::npos;
  if (is_one_name && names_.is_key(relative)) {
    on_key(relative, given);
  } else if (!is_one_name || !names_.is_group(relative)) {
    if (!is_anchor_holder(relative)) report_unknown(relative, is_one_name, given);
  } else if (entry.value->kind != YamlNode::Kind::map) {
    diagnostics_.add(given.origin, given.path, brief(*entry.value), "must be a map of keys");
  } else {
    walk_group(*entry.value, relative + ".", on_key);
  }
}

void SectionWalk::report_unknown(const std::string& relative, bool is_one_name,
                                 const GivenValue& given) const {
  const char* const problem =
      is_one_name ? "no such key" : "no such key (a file nests maps instead of writing dots)";
  diagnostics_.add(given.origin, given.path, brief(*given.node),
                   fmt::format("{}; nearest valid key '{}'", problem, base_ + names_.nearest(relative)));
}

bool SectionWalk::is_anchor_holder(const std::string& relative) const {
  return base_.empty() && relative.rfind(kAnchorHolderPrefix, 0) == 0;
}

void for_each_entry(const GivenValue& given, ConfigDiagnostics& diagnostics,
                    const std::function<void(const GivenValue&)>& on_entry) {
  const std::size_t count = given.node->items.size();
  if (given.node->kind != YamlNode::Kind::list || count == 0 || count > kMostListEntries) {
    diagnostics.add(given.origin, given.path, brief(*given.node),
                    fmt::format("must be a list of 1 to {} maps", kMostListEntries));
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const YamlNode* item = given.node->items[i];
    const ConfigOrigin origin{given.origin.source, item->line};
    const std::string path = fmt::format("{}[{}]", given.path, i);
    if (item->kind == YamlNode::Kind::map)
      on_entry({item, origin, path});
    else
      diagnostics.add(origin, path, brief(*item), "must be a map of keys");
  }
}

}  // namespace petal
