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
    Entry& entry = entries_[(size ^ size >> 6U ^ std::uint64_t{kind} * 11U) % kEntries];
    if (!entry.is_known || entry.size != size || entry.kind != kind) entry = {size, work_out(), kind, true};
    return entry.duration;
  }

 private:
  static constexpr std::size_t kEntries = 64;
  struct Entry {
    std::uint64_t size = 0;
    Picoseconds duration{0};
    std::uint8_t kind = 0;
    bool is_known = false;
  };
  std::array<Entry, kEntries> entries_{};
};

}  // namespace petal
