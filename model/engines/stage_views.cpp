// SPDX-License-Identifier: Apache-2.0
#include "petal/engines/stage_views.hpp"

namespace petal {

StageRanges ranges_of(const StageViews& views) {
  StageRanges ranges;
  for (std::uint32_t index = 0; index < views.read_count; ++index) {
    const ByteRange range = views.reads[index].range();
    if (!range.empty()) ranges.reads[ranges.read_count++] = range;
  }
  const ByteRange range = views.write ? views.write->range() : ByteRange{};
  if (!range.empty()) ranges.writes[ranges.write_count++] = range;
  return ranges;
}

}  // namespace petal
