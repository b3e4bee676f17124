// SPDX-License-Identifier: Apache-2.0
//
// How a section of a document is gone through: a map of keys and groups of keys, or a list of such maps.
// What does not belong there is reported; the rest is handed on with its path and the line it stands on.
#pragma once

#include <functional>
#include <string>

#include "petal/config/config_diagnostics.hpp"
#include "petal/config/config_layer.hpp"
#include "petal/config/key_names.hpp"

namespace petal {

/// Goes through a map of one section and the groups in it.
class SectionWalk {
 public:
  /// `relative` is the key's path within the section.
  using OnKey = std::function<void(const std::string& relative, const GivenValue& given)>;

  /// `base` stands before the paths in messages. `names` and `diagnostics` outlive the walk.
  SectionWalk(std::string source, std::string base, const KeyNames& names, ConfigDiagnostics& diagnostics);

  /// Calls `on_key` for each key that `names` has.
  void walk(const YamlNode& map, const OnKey& on_key) const { walk_group(map, "", on_key); }

 private:
  void walk_group(const YamlNode& map, const std::string& group, const OnKey& on_key) const;
  void walk_entry(const YamlNode::Entry& entry, const std::string& group, const OnKey& on_key) const;
  void report_unknown(const std::string& relative, bool is_one_name, const GivenValue& given) const;
  bool is_anchor_holder(const std::string& relative) const;

  std::string source_;
  std::string base_;
  const KeyNames& names_;
  ConfigDiagnostics& diagnostics_;
};

/// Calls `on_entry` for each map of the list `given`, with its path ("launches[2]") and its line. Reports
/// what is no list, and entries that are no maps.
void for_each_entry(const GivenValue& given, ConfigDiagnostics& diagnostics,
                    const std::function<void(const GivenValue&)>& on_entry);

}  // namespace petal
