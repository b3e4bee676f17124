// SPDX-License-Identifier: Apache-2.0
//
// RecentDurations: durations that an engine has worked out lately. Stages come in few sizes, and a look-up
// costs less than the divisions of a formula.
#pragma once

#include <array>
#include <cstdint>

#include "petal/command/units.hpp"

namespace petal {

class RecentDurations {
 public:
  /// work_out(), or what it returned for the same `size` and `kind` before.
  template <typename WorkOut>
  Picoseconds get(std::uint64_t size, std::uint8_t kind, WorkOut work_out) {
    Entry& entry = entries_[place_of(size, kind)];
    if (entry.size != size || entry.kind != kind) entry = {size, work_out(), kind};
    return entry.duration;
  }

 private:
  static constexpr std::uint32_t kPlaceBits = 6;
  static constexpr std::size_t kEntries = std::size_t{1} << kPlaceBits;
  struct Entry {
    std::uint64_t size = 0;
    Picoseconds duration{0};
    std::uint64_t kind = UINT64_MAX;  // nothing is known
  };

  /// Sizes are powers of two more often than not: the product spreads them.
  static std::size_t place_of(std::uint64_t size, std::uint64_t kind) {
    return static_cast<std::size_t>((size + kind) * 0x9E3779B97F4A7C15U >> (64U - kPlaceBits));
  }

  std::array<Entry, kEntries> entries_{};
};

}  // namespace petal
