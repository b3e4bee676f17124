// SPDX-License-Identifier: Apache-2.0
//
// BinnedAxis: time from 0 on, cut into bins of equal width. When time goes beyond the last bin, pairs of bins
// become one and the width doubles, so that the number of bins stays below a limit and no sum loses anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "petal/command/units.hpp"

namespace petal {

/// `Cell` has operator+=, which makes one bin of two neighbours.
template <typename Cell>
class BinnedAxis {
 public:
  /// `bins`: at least 2, and even.
  explicit BinnedAxis(std::size_t bins) : limit_(bins) {}

  /// The bin that holds `time`. Valid until the next call.
  Cell& at(Picoseconds time) {
    reach(time);
    return cells_[index_of(time)];
  }

  /// Calls `visit(cell, part)` for each bin that [start, end) overlaps, with the length of the overlap.
  template <typename Visit>
  void for_each(Picoseconds start, Picoseconds end, const Visit& visit) {
    if (end <= start) return;
    reach(end - Picoseconds(1));
    for (Picoseconds from = start; from < end;) {
      const std::size_t index = index_of(from);
      const Picoseconds bin_end(static_cast<std::int64_t>(index + 1) * width_);
      const Picoseconds to = bin_end < end ? bin_end : end;
      visit(cells_[index], to - from);
      from = to;
    }
  }

  Picoseconds width() const { return Picoseconds(width_); }
  const std::vector<Cell>& cells() const { return cells_; }

 private:
  static constexpr std::int64_t kFirstWidth = 1024;

  std::size_t index_of(Picoseconds time) const { return static_cast<std::size_t>(time.count() / width_); }

  void reach(Picoseconds time) {
    while (index_of(time) >= limit_) merge_pairs();
    if (index_of(time) >= cells_.size()) cells_.resize(index_of(time) + 1);
  }

  void merge_pairs() {
    for (std::size_t index = 0; index < cells_.size(); ++index) {
      if (index % 2 == 0)
        cells_[index / 2] = cells_[index];
      else
        cells_[index / 2] += cells_[index];
    }
    cells_.resize((cells_.size() + 1) / 2);
    width_ *= 2;
  }

  std::size_t limit_;
  std::int64_t width_ = kFirstWidth;
  std::vector<Cell> cells_;
};

}  // namespace petal
