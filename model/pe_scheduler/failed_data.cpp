// SPDX-License-Identifier: Apache-2.0
#include "petal/pe_scheduler/failed_data.hpp"

#include <algorithm>

namespace petal {

void FailedData::add(const HazardRanges& failed) {
  for (const ByteRange& range : failed.writes) of(range.space).add(range.begin, range.end);
}

bool FailedData::is_read_by(const HazardRanges& command) const {
  return std::any_of(command.reads.begin(), command.reads.end(), [this](const ByteRange& range) {
    bool found = false;
    of(range.space).for_each_within(range.begin, range.end, [&](std::uint64_t, std::uint64_t) {
      found = true;
    });
    return found;
  });
}

void FailedData::begin(const HazardRanges& command) {
  for (const ByteRange& range : command.writes) of(range.space).remove(range.begin, range.end);
}

void FailedData::clear() {
  for (WrittenRanges& space : spaces_) space.clear();
}

}  // namespace petal
