// SPDX-License-Identifier: Apache-2.0
#include "petal/config/yaml_tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <sstream>

#include "petal/config/yaml_tree_builder.hpp"

namespace petal {

namespace {

constexpr std::size_t kLongestShown = 60;

std::string one_line(const std::string& text) {
  std::string shown;
  for (const char c : text.substr(0, kLongestShown))
    shown += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  return text.size() > kLongestShown ? shown + "..." : shown;
}

// A tab in front of a key reads as indentation to a person and as something else to YAML.
int first_line_indented_by_tab(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const std::size_t start = line.find_first_not_of(" \t");
    if (start == std::string::npos || line[start] == '#' || line[start] == '\r') continue;
    if (line.find('\t') < start) return number;
  }
  return 0;
}

// Tells that there is a second document without keeping it.
class SecondDocument final : public YAML::EventHandler {
 public:
  int line() const { return line_; }
  void OnDocumentStart(const YAML::Mark& mark) override { line_ = mark.line + 1; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override {}
  void OnAlias(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override {}
  void OnScalar(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                const std::string& /*value*/) override {}
  void OnSequenceStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                       YAML::EmitterStyle::value /*style*/) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                  YAML::EmitterStyle::value /*style*/) override {}
  void OnMapEnd() override {}

 private:
  int line_ = 0;
};

void read_documents(const std::string& text, YamlDocument& document) {
  std::istringstream in(text);
  YAML::Parser parser(in);
  YamlTreeBuilder builder(document);
  if (!parser.HandleNextDocument(builder)) {
    document.problems.push_back({0, "the file is empty; write a map of keys"});
    return;
  }
  SecondDocument second;
  if (parser.HandleNextDocument(second))
    document.problems.push_back({second.line(), "a second document starts here; a file must hold one"});
}

}  // namespace

std::string brief(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::null:
      return "nothing";
    case YamlNode::Kind::scalar:
      return fmt::format("'{}'", one_line(node.text));
    case YamlNode::Kind::list:
      return fmt::format("a list of {}", node.items.size());
    case YamlNode::Kind::map:
      return "a map";
  }
  return "";
}

YamlDocument parse_yaml(const std::string& text) {
  YamlDocument document;
  if (const int line = first_line_indented_by_tab(text)) {
    document.problems.push_back({line, "the line is indented by a tab; YAML wants spaces"});
    return document;
  }
  try {
    read_documents(text, document);
  } catch (const YAML::Exception& error) {
    document.problems.push_back({error.mark.is_null() ? 0 : error.mark.line + 1, "not YAML: " + error.msg});
  }
  return document;
}

}  // namespace petal
