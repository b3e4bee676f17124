// SPDX-License-Identifier: Apache-2.0
#include "petal/config/key_names.hpp"

#include <limits>

#include "petal/command/edit_distance.hpp"

namespace petal {

namespace {

// A key in the wrong place is likelier than one misspelt in two letters.
constexpr std::size_t kOtherPlaceCost = 2;

std::string parent_of(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? std::string() : path.substr(0, dot);
}

std::string last_of(const std::string& path) {
  return path.substr(path.rfind('.') + 1);
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

KeyNames::KeyNames(const std::vector<std::string>& paths) : keys_(paths.begin(), paths.end()) {
  for (const std::string& path : paths)
    for (std::string group = parent_of(path); !group.empty(); group = parent_of(group)) groups_.insert(group);
}

std::string KeyNames::nearest(const std::string& path) const {
  std::string best;
  std::size_t best_cost = std::numeric_limits<std::size_t>::max();
  for (const std::set<std::string>* names : {&keys_, &groups_})
    for (const std::string& name : *names) {
      const std::size_t place = parent_of(name) == parent_of(path) ? 0 : kOtherPlaceCost;
      const std::size_t cost = edit_distance(last_of(path), last_of(name)) + place;
      if (cost >= best_cost) continue;
      best = name;
      best_cost = cost;
    }
  return best;
}

std::vector<std::string> KeyNames::matching(const std::string& path) const {
  if (is_key(path)) return {path};
  std::vector<std::string> found;
  for (const std::string& key : keys_)
    if (ends_with(key, "." + path)) found.push_back(key);
  return found;
}

}  // namespace petal
