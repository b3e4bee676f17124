// SPDX-License-Identifier: Apache-2.0
#include "petal/memory/written_ranges.hpp"

#include <algorithm>

namespace petal {

void WrittenRanges::add(std::uint64_t begin, std::uint64_t end) {
  if (begin >= end) return;
  auto next = ranges_.upper_bound(begin);
  if (next != ranges_.begin() && std::prev(next)->second >= begin) {
    --next;
    begin = next->first;
  }
  while (next != ranges_.end() && next->first <= end) {
    end = std::max(end, next->second);
    next = ranges_.erase(next);
  }
  ranges_.emplace_hint(next, begin, end);
}

void WrittenRanges::remove(std::uint64_t begin, std::uint64_t end) {
  if (begin >= end) return;
  auto range = ranges_.upper_bound(begin);
  if (range != ranges_.begin()) --range;
  while (range != ranges_.end() && range->first < end) {
    const auto [from, to] = *range;
    if (to <= begin) {
      ++range;
      continue;
    }
    range = ranges_.erase(range);
    if (from < begin) ranges_.emplace_hint(range, from, begin);
    if (to > end) ranges_.emplace_hint(range, end, to);
  }
}

}  // namespace petal
