// SPDX-License-Identifier: Apache-2.0
//
// AddressMap: which target answers at which addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "petal/vp/address_range.hpp"

namespace petal::vp {

/// A target's name, for messages, and its addresses on the bus.
struct AddressMapEntry {
  std::string name;
  AddressRange range;
};

class AddressMap {
 public:
  /// Throws ConfigError for a range that is empty, ends after the last address, or overlaps another.
  explicit AddressMap(std::vector<AddressMapEntry> entries);

  const std::vector<AddressMapEntry>& entries() const { return entries_; }

  /// The index of the target that holds all `bytes` bytes from `address` on; nothing if none does.
  std::optional<std::size_t> find(std::uint64_t address, std::uint64_t bytes = 1) const;

 private:
  std::vector<AddressMapEntry> entries_;
};

}  // namespace petal::vp
