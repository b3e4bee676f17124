// SPDX-License-Identifier: Apache-2.0
//
// Turns the YAML library's events into a YamlDocument. Private to yaml_tree.cpp.
#pragma once

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>

#include <cstddef>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "petal/config/yaml_tree.hpp"

namespace petal {

/// Fills `document`, which outlives it. Events come from one document.
class YamlTreeBuilder final : public YAML::EventHandler {
 public:
  explicit YamlTreeBuilder(YamlDocument& document) : document_(document) {}

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override;
  void OnSequenceEnd() override;
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override;
  void OnMapEnd() override;

 private:
  // A list or map whose end has not been seen. Keys and values of a map alternate.
  struct Open {
    YamlNode* node = nullptr;
    bool has_key = false;
    bool key_is_merge = false;
    bool key_is_usable = false;
    std::string key;
    int key_line = 0;
    std::vector<const YamlNode*> merges;
    std::unordered_map<std::string, int> first_lines;  ///< of each key of the map
  };

  YamlNode& make(YamlNode::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor);
  void check_tag(const YAML::Mark& mark, const std::string& tag);
  void open(YamlNode& node);
  void close();
  void place(const YamlNode& node, int line);
  void take_key(Open& map, const YamlNode& node, int line);
  void take_value(Open& map, const YamlNode& node);
  void collect_merge(Open& map, const YamlNode& value);
  void apply_merges(Open& map);

  YamlDocument& document_;
  std::vector<Open> open_;
  std::unordered_map<YAML::anchor_t, const YamlNode*> anchors_;
  std::set<const YamlNode*> unfinished_;
  std::size_t merged_entries_ = 0;
};

}  // namespace petal
