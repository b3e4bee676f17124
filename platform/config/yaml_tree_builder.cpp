// SPDX-License-Identifier: Apache-2.0
#include "petal/config/yaml_tree_builder.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace petal {

namespace {

int line_of(const YAML::Mark& mark) {
  return mark.line + 1;
}

// Far above any real use; maps that merge maps that merge maps would otherwise grow with the square of the
// text.
constexpr std::size_t kMostMergedEntries = 1000000;

constexpr const char* kTextTag = "tag:yaml.org,2002:str";

}  // namespace

YamlNode& YamlTreeBuilder::make(YamlNode::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
  YamlNode& node = document_.nodes.emplace_back();
  node.kind = kind;
  node.line = line_of(mark);
  if (anchor != YAML::NullAnchor) anchors_[anchor] = &node;
  return node;
}

void YamlTreeBuilder::check_tag(const YAML::Mark& mark, const std::string& tag) {
  if (tag.empty() || tag == "?" || tag == "!" || tag == kTextTag) return;
  document_.problems.push_back({line_of(mark), fmt::format("the tag '{}' is not supported; remove it", tag)});
}

void YamlTreeBuilder::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
  const YamlNode& node = make(YamlNode::Kind::null, mark, anchor);
  place(node, node.line);
}

void YamlTreeBuilder::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
  const YamlNode* node = anchors_.at(anchor);
  if (unfinished_.count(node) != 0) {
    document_.problems.push_back({line_of(mark), "an alias stands inside what it names; it would never end"});
    node = &make(YamlNode::Kind::null, mark, YAML::NullAnchor);
  }
  place(*node, line_of(mark));
}

void YamlTreeBuilder::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                               const std::string& value) {
  check_tag(mark, tag);
  YamlNode& node = make(YamlNode::Kind::scalar, mark, anchor);
  node.text = value;
  node.quoted = tag == "!" || tag == kTextTag;
  place(node, node.line);
}

void YamlTreeBuilder::OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                                      YAML::EmitterStyle::value /*style*/) {
  check_tag(mark, tag);
  open(make(YamlNode::Kind::list, mark, anchor));
}

void YamlTreeBuilder::OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                                 YAML::EmitterStyle::value /*style*/) {
  check_tag(mark, tag);
  open(make(YamlNode::Kind::map, mark, anchor));
}

void YamlTreeBuilder::OnSequenceEnd() {
  close();
}

void YamlTreeBuilder::OnMapEnd() {
  apply_merges(open_.back());
  close();
}

void YamlTreeBuilder::open(YamlNode& node) {
  unfinished_.insert(&node);
  open_.emplace_back().node = &node;
}

void YamlTreeBuilder::close() {
  const YamlNode& node = *open_.back().node;
  open_.pop_back();
  unfinished_.erase(&node);
  place(node, node.line);
}

void YamlTreeBuilder::place(const YamlNode& node, int line) {
  if (open_.empty()) {
    document_.root = &node;
    return;
  }
  Open& parent = open_.back();
  if (parent.node->kind == YamlNode::Kind::list)
    parent.node->items.push_back(&node);
  else if (parent.has_key)
    take_value(parent, node);
  else
    take_key(parent, node, line);
}

void YamlTreeBuilder::take_key(Open& map, const YamlNode& node, int line) {
  map.has_key = true;
  map.key_line = line;
  map.key_is_usable = node.kind == YamlNode::Kind::scalar;
  map.key = node.text;
  map.key_is_merge = map.key_is_usable && !node.quoted && node.text == "<<";
  if (!map.key_is_usable)
    document_.problems.push_back({line, fmt::format("a key must be a plain word, not {}", brief(node))});
}

void YamlTreeBuilder::take_value(Open& map, const YamlNode& node) {
  map.has_key = false;
  if (!map.key_is_usable) return;
  if (map.key_is_merge && map.merges.empty()) {
    collect_merge(map, node);
    return;
  }
  if (map.key_is_merge) {
    document_.problems.push_back(
        {map.key_line, "a second merge key '<<' in one map; give it a list instead"});
    return;
  }
  const auto [first, is_new] = map.first_lines.emplace(map.key, map.key_line);
  if (is_new)
    map.node->entries.push_back({map.key, map.key_line, &node});
  else
    map.node->duplicates.push_back({map.key, first->second, map.key_line});
}

void YamlTreeBuilder::collect_merge(Open& map, const YamlNode& value) {
  const std::vector<const YamlNode*> sources =
      value.kind == YamlNode::Kind::list ? value.items : std::vector<const YamlNode*>{&value};
  for (const YamlNode* source : sources) {
    if (source->kind == YamlNode::Kind::map) {
      map.merges.push_back(source);
      continue;
    }
    document_.problems.push_back(
        {map.key_line,
         fmt::format("the merge key '<<' takes a map or a list of maps, not {}", brief(*source))});
  }
}

// A key of the map itself wins over a merged one, and an earlier merged map over a later one.
void YamlTreeBuilder::apply_merges(Open& map) {
  for (const YamlNode* source : map.merges)
    for (const YamlNode::Entry& entry : source->entries) {
      if (++merged_entries_ > kMostMergedEntries) {
        document_.problems.push_back(
            {map.node->line, "the merge keys '<<' add up to more than a million keys"});
        return;
      }
      if (map.first_lines.emplace(entry.key, entry.line).second) map.node->entries.push_back(entry);
    }
}

}  // namespace petal
