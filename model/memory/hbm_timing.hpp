// SPDX-License-Identifier: Apache-2.0
//
// HbmTiming: when the pseudo-channels of an HBM have moved an access (SPEC 6, 12.2).
//
// Each access is split over the channels by address. A channel serves accesses in the order of their arrival,
// one at a time; an access is moved when the last of its channels has moved its part. Latency comes on top
// and occupies nothing. The interleave is worked out in closed form, once for all tiles of the same shape and
// alignment.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "petal/command/units.hpp"
#include "petal/memory/access_pattern.hpp"
#include "petal/memory/channel_split.hpp"
#include "petal/memory/memory_config.hpp"

namespace petal {

class HbmTiming {
 public:
  explicit HbmTiming(const HbmConfig& config);

  /// Reserves the channels for an access that arrives at `arrival` and returns when its last byte has moved.
  /// Arrivals must not go back in time.
  Picoseconds reserve(Picoseconds arrival, const AccessPattern& access);
  Picoseconds latency() const { return latency_; }

 private:
  /// The parts of an access that are not empty: which channel, before the mask, and how long it is busy.
  struct Part {
    std::uint32_t channel;
    Picoseconds duration;
  };

  using PartsByKey = std::unordered_map<SplitKey, std::vector<Part>, SplitKeyHash>;

  const PartsByKey::value_type& parts_of(const AccessPattern& access);
  const PartsByKey::value_type& find_or_work_out(const SplitKey& key);

  ChannelSplit split_;
  Bandwidth bandwidth_;
  Picoseconds latency_;
  std::vector<Picoseconds> free_at_;
  PartsByKey parts_;
  std::vector<const PartsByKey::value_type*> recent_;  // entries of parts_, by a few bits of an access
};

}  // namespace petal
