// SPDX-License-Identifier: Apache-2.0
//
// WrittenRanges: which bytes of a memory a run has written. With an HBM for each PE this tells whose copy of
// a result counts.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>

namespace petal {

class WrittenRanges {
 public:
  /// Adds [begin, end). Ranges that touch become one.
  void add(std::uint64_t begin, std::uint64_t end);
  /// Takes [begin, end) out again.
  void remove(std::uint64_t begin, std::uint64_t end);
  void clear() { ranges_.clear(); }
  /// Calls function(begin, end) for each part of [begin, end) that was written, in ascending order.
  template <typename Function>
  void for_each_within(std::uint64_t begin, std::uint64_t end, Function function) const {
    if (begin >= end) return;
    auto range = ranges_.upper_bound(begin);
    if (range != ranges_.begin() && std::prev(range)->second > begin) --range;
    for (; range != ranges_.end() && range->first < end; ++range)
      function(range->first < begin ? begin : range->first, range->second < end ? range->second : end);
  }
  /// How many separate ranges there are.
  std::size_t size() const { return ranges_.size(); }

 private:
  std::map<std::uint64_t, std::uint64_t> ranges_;  // begin to end; apart from each other
};

}  // namespace petal
