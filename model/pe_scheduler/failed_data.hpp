// SPDX-License-Identifier: Apache-2.0
//
// FailedData: the bytes that commands which failed should have written. Who reads them depends on such a
// command, and must not run on what happens to lie there; who writes them again makes them good.
#pragma once

#include <array>

#include "petal/command/hazard_ranges.hpp"
#include "petal/memory/written_ranges.hpp"

namespace petal {

class FailedData {
 public:
  bool empty() const { return spaces_[0].size() == 0 && spaces_[1].size() == 0; }
  /// A command of these ranges has failed: what it writes cannot be trusted.
  void add(const HazardRanges& failed);
  bool is_read_by(const HazardRanges& command) const;
  /// A command of these ranges begins. Judged by bounding ranges: it is taken to write all of them.
  void begin(const HazardRanges& command);
  void clear();

 private:
  WrittenRanges& of(Space space) { return spaces_[static_cast<std::size_t>(space)]; }
  const WrittenRanges& of(Space space) const { return spaces_[static_cast<std::size_t>(space)]; }

  std::array<WrittenRanges, 2> spaces_;
};

}  // namespace petal
