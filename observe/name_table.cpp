// SPDX-License-Identifier: Apache-2.0
#include "petal/observe/name_table.hpp"

#include <limits>
#include <stdexcept>

namespace petal {

NameTable::Id NameTable::id_of(std::string_view name) {
  const auto known = ids_.find(name);
  if (known != ids_.end()) return known->second;
  if (names_.size() > std::numeric_limits<Id>::max())
    throw std::length_error("more than 65536 names in one log");
  const auto added = ids_.emplace(std::string(name), static_cast<Id>(names_.size())).first;
  names_.push_back(&added->first);
  return added->second;
}

}  // namespace petal
