// SPDX-License-Identifier: Apache-2.0
//
// DmiRegions: the direct memory pointers that a memory has granted and not taken back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tlm>
#include <vector>

#include "petal/bus/burst_payload.hpp"
#include "petal/bus/bus_config.hpp"

namespace petal {

class DmiRegions {
 public:
  explicit DmiRegions(DmiUse use) : use_(use) {}

  /// Keeps a grant that was asked for `payload`'s burst. One that names no memory, or not that burst's
  /// address and direction, is dropped.
  void add(const tlm::tlm_dmi& grant, const BurstPayload& payload);
  /// Drops every grant that has a byte in [begin, end].
  void invalidate(std::uint64_t begin, std::uint64_t end);

  /// True if a grant covers the burst, to be used or not: there is no need to ask again.
  bool covers(const BurstPayload& payload) const { return find(payload) != nullptr; }
  /// Moves the burst's bytes between the payload and the memory, and sets `latency`. False, and nothing is
  /// moved, if no grant covers it or the one that does is not to be used.
  bool transfer(BurstPayload& payload, sc_core::sc_time& latency) const;

 private:
  static constexpr std::size_t kMostRegions =
      64;  // a memory that grants byte by byte is not to fill the host's

  const tlm::tlm_dmi* find(const BurstPayload& payload) const;

  const DmiUse use_;
  std::vector<tlm::tlm_dmi> regions_;
};

}  // namespace petal
