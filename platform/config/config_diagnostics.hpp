// SPDX-License-Identifier: Apache-2.0
//
// Collects everything that is wrong with a scenario, so that one run of the tool shows all of it.
#pragma once

#include <string>
#include <vector>

namespace petal {

/// Where a value was written.
struct ConfigOrigin {
  std::string source;  ///< a file's name, or "--set"
  int line = 0;        ///< from 1; 0: the source has no lines, or the file as a whole
};

/// The mistakes found so far, one line each.
class ConfigDiagnostics {
 public:
  /// Records "source:line: path: value V: what" (the parts that are empty are left out). A line that is there
  /// already is not repeated. After a hundred mistakes it throws, as `raise_if_any` would.
  void add(const ConfigOrigin& origin, const std::string& path, const std::string& value,
           const std::string& what);

  /// Throws ConfigError with every line, in the order they were found, if there is one.
  void raise_if_any() const;

 private:
  std::vector<std::string> lines_;
};

}  // namespace petal
