// SPDX-License-Identifier: Apache-2.0
#include "petal/vp/address_map.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "petal/command/error.hpp"

namespace petal::vp {
namespace {

void check_range(const AddressMapEntry& entry) {
  const AddressRange& range = entry.range;
  if (range.bytes == 0)
    throw ConfigError(fmt::format("target {} has no addresses; give it a size", entry.name));
  if (range.bytes - 1 > std::numeric_limits<std::uint64_t>::max() - range.begin)
    throw ConfigError(
        fmt::format("target {} at {:#x} with {} bytes ends after the last address; make it smaller",
                    entry.name, range.begin, range.bytes));
}

}  // namespace

AddressMap::AddressMap(std::vector<AddressMapEntry> entries) : entries_(std::move(entries)) {
  for (const AddressMapEntry& entry : entries_) {
    check_range(entry);
    for (const AddressMapEntry* other = entries_.data(); other != &entry; ++other)
      if (entry.range.overlaps(other->range))
        throw ConfigError(fmt::format("targets {} at {:#x} and {} at {:#x} overlap; move one", other->name,
                                      other->range.begin, entry.name, entry.range.begin));
  }
}

std::optional<std::size_t> AddressMap::find(std::uint64_t address, std::uint64_t bytes) const {
  for (std::size_t index = 0; index < entries_.size(); ++index)
    if (entries_[index].range.contains(address, bytes)) return index;
  return std::nullopt;
}

}  // namespace petal::vp
