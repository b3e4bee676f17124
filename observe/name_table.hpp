// SPDX-License-Identifier: Apache-2.0
//
// NameTable: gives each distinct name a small number, so that a record of an event holds no strings.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace petal {

class NameTable {
 public:
  using Id = std::uint16_t;

  /// The number of `name`, a new one at its first use. Throws std::length_error beyond 65536 names.
  Id id_of(std::string_view name);
  /// Precondition: `id` came from id_of.
  const std::string& name_of(Id id) const { return *names_[id]; }

 private:
  std::map<std::string, Id, std::less<>> ids_;
  std::vector<const std::string*> names_;  ///< keys of `ids_`, which do not move
};

}  // namespace petal
