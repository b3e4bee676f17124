// SPDX-License-Identifier: Apache-2.0
//
// The dotted paths that are legal in one section, for telling keys from groups of keys and for hints.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace petal {

/// Paths such as "attrs.pe_dma.outstanding"; every prefix of one that ends before a dot is a group.
class KeyNames {
 public:
  explicit KeyNames(const std::vector<std::string>& paths);

  bool is_key(const std::string& path) const { return keys_.count(path) != 0; }
  bool is_group(const std::string& path) const { return groups_.count(path) != 0; }
  /// The key or group most like `path`: by its last name, and rather in the same place than in another.
  std::string nearest(const std::string& path) const;
  /// The keys that are `path`, or failing that end in ".path".
  std::vector<std::string> matching(const std::string& path) const;

 private:
  std::set<std::string> keys_;
  std::set<std::string> groups_;
};

}  // namespace petal
