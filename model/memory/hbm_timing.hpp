// SPDX-License-Identifier: Apache-2.0
//
// HbmTiming: when the pseudo-channels of an HBM have moved an access (SPEC 6, 12.2).
//
// Each access is split over the channels by address. A channel serves accesses in the order of their arrival, one
// at a time; an access is moved when the last of its channels has moved its part. Latency comes on top and occupies
// nothing. The interleave is worked out in closed form, or once for all tiles of the same shape and alignment.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "petal/command/units.hpp"
#include "petal/memory/access_pattern.hpp"
#include "petal/memory/memory_config.hpp"

namespace petal {

class HbmTiming {
 public:
  explicit HbmTiming(const HbmConfig& config);

  /// Reserves the channels for an access that arrives at `arrival` and returns when its last byte has moved.
  /// Arrivals must not go back in time.
  Picoseconds reserve(Picoseconds arrival, const AccessPattern& access);
  Picoseconds latency() const { return latency_; }

  /// The channel that holds `address`.
  std::uint32_t channel_of(std::uint64_t address) const;
  /// Bytes of `access` on each channel: what `reserve` charges. For tests and reports.
  std::vector<std::uint64_t> bytes_per_channel(const AccessPattern& access);

 private:
  /// Bytes for each folded block number, before the fold of the high address bits moves them.
  using Histogram = std::vector<std::uint64_t>;
  struct Shape {
    std::uint64_t offset;
    std::uint64_t run_bytes;
    std::array<AccessPattern::Level, AccessPattern::kLevels> levels;
    bool operator==(const Shape& other) const {
      return offset == other.offset && run_bytes == other.run_bytes && levels == other.levels;
    }
  };
  struct ShapeHash {
    std::size_t operator()(const Shape& shape) const;
  };

  std::uint32_t slot_of_block(std::uint64_t block) const;
  void add_run(std::uint64_t address, std::uint64_t bytes, Histogram& histogram) const;
  void add_all_runs(const Shape& shape, Histogram& histogram) const;
  const Histogram& histogram_of(const Shape& shape);
  /// Splits `access` and returns the histogram; `mask` is what each of its slots is XORed with.
  const Histogram& split(const AccessPattern& access, std::uint32_t& mask);
  std::uint32_t channel_of_slot(std::uint32_t slot) const { return slot % channels_; }

  std::uint32_t channels_;
  std::uint32_t slots_;      // xor_fold: the power of two that holds the channels; modulo: the channels
  std::uint32_t slot_bits_;  // log2(slots_) for xor_fold
  std::uint32_t block_bits_;
  bool folds_;
  Bandwidth bandwidth_;
  Picoseconds latency_;
  std::vector<Picoseconds> free_at_;
  std::vector<std::uint64_t> channel_bytes_;
  Histogram run_histogram_;
  std::unordered_map<Shape, Histogram, ShapeHash> histograms_;
};

}  // namespace petal
