// SPDX-License-Identifier: Apache-2.0
//
// The text of one YAML document as a tree that remembers what a configuration needs to know: the line of each
// key, whether a scalar was quoted, and which keys came twice. It interprets nothing: a scalar is its text.
//
// Aliases share their node and merge keys (`<<`) are applied, each map once, so that neither recursion nor an
// alias bomb costs more than the text is long.
#pragma once

#include <deque>
#include <string>
#include <vector>

namespace petal {

/// One value of the document.
struct YamlNode {
  enum class Kind { null, scalar, list, map };
  struct Entry {
    std::string key;
    int line;  ///< of the key, from 1
    const YamlNode* value;
  };
  struct Duplicate {
    std::string key;
    int first_line;
    int line;
  };

  Kind kind = Kind::null;
  int line = 0;                        ///< from 1
  std::string text;                    ///< of a scalar
  bool quoted = false;                 ///< a scalar that is text whatever it looks like
  std::vector<const YamlNode*> items;  ///< of a list
  std::vector<Entry> entries;          ///< of a map, each key once; merged keys come last
  std::vector<Duplicate> duplicates;   ///< keys of a map that came again; the first one is in `entries`
};

/// The value as an error message shows it: short, on one line.
std::string brief(const YamlNode& node);

/// A document, or what is wrong with it.
struct YamlDocument {
  struct Problem {
    int line;  ///< 0: the document as a whole
    std::string message;
  };
  std::deque<YamlNode> nodes;      ///< owns every node
  const YamlNode* root = nullptr;  ///< null only if `problems` is not empty
  std::vector<Problem> problems;
};

/// Reads `text`, which must hold exactly one document. Never throws on bad text: see `problems`.
YamlDocument parse_yaml(const std::string& text);

}  // namespace petal
