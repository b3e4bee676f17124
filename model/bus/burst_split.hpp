// SPDX-License-Identifier: Apache-2.0
//
// BurstSplit: the bursts of an access, one after another.
//
// Every run is cut at the multiples of the burst size. As that is a power of two of at most 4096, no burst
// crosses a 4 KiB boundary, and every burst but the first and the last of a run is whole and naturally
// aligned. Bursts are worked out as they are asked for: an access of any size takes the same few words.
#pragma once

#include <array>
#include <cstdint>

#include "petal/bus/bus_config.hpp"
#include "petal/memory/access_pattern.hpp"

namespace petal {

/// One transaction's worth of an access.
struct Burst {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;   ///< at least 1
  std::uint64_t offset = 0;  ///< of its first byte in the access's data, runs joined without gaps
};

/// True if no byte of `access` lies beyond the last address of 64 bits. Without bytes it is.
bool fits_address_space(const AccessPattern& access);

class BurstSplit {
 public:
  /// No bursts.
  BurstSplit() = default;
  /// The bursts of `access`, which fits the address space. `config.burst_bytes` is a power of two.
  BurstSplit(const AccessPattern& access, const BusConfig& config);

  /// True when every burst has been given; at once for an access without bytes.
  bool done() const { return run_left_ == 0; }
  /// The next burst, in the order of AccessPattern::for_each_run. Precondition: not done.
  Burst next();

 private:
  void next_run();

  AccessPattern access_;
  std::uint64_t burst_bytes_ = 1;
  RaggedBursts ragged_ = RaggedBursts::one_burst;
  std::array<std::uint64_t, AccessPattern::kLevels> index_{};
  std::uint64_t run_ = 0;       // address of the present run
  std::uint64_t run_left_ = 0;  // its bytes not yet given
  std::uint64_t offset_ = 0;
};

}  // namespace petal
