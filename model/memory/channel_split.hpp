// SPDX-License-Identifier: Apache-2.0
//
// ChannelSplit: how the bytes of an access fall on the pseudo-channels (SPEC 12.2).
//
// channel = fold(address / interleave), where the fold XORs all groups of log2(channels) bits together, or
// plain modulo. With a number of channels that is no power of two, the fold is over the bits that hold it,
// then modulo.
//
// The fold is linear over XOR: if the offsets of an access do not carry into the high bits of its base
// address, then the access falls as it would at the low bits alone, with every channel XORed by the fold of
// the high bits. Accesses that agree in shape and low bits therefore share one split, and differ by a mask.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "petal/memory/access_pattern.hpp"
#include "petal/memory/memory_config.hpp"

namespace petal {

/// What accesses have in common that fall alike, up to a mask.
struct SplitKey {
  std::uint64_t offset = 0;  ///< the part of the base address that matters
  std::uint64_t period = 0;  ///< addresses that agree modulo this fall alike; 0: only the very same
  std::uint64_t run_bytes = 0;
  std::array<AccessPattern::Level, AccessPattern::kLevels> levels{};

  friend bool operator==(const SplitKey& a, const SplitKey& b) {
    return a.offset == b.offset && a.period == b.period && a.run_bytes == b.run_bytes && a.levels == b.levels;
  }
};

struct SplitKeyHash {
  std::size_t operator()(const SplitKey& key) const;
};

class ChannelSplit {
 public:
  explicit ChannelSplit(const HbmConfig& config);

  /// The channel that holds `address`.
  std::uint32_t channel_of(std::uint64_t address) const;
  SplitKey key_of(const AccessPattern& access) const;
  /// key == key_of(access), at a fraction of the cost.
  bool matches(const SplitKey& key, const AccessPattern& access) const {
    const std::uint64_t offset =
        periods_are_powers_of_two_ ? access.address & (key.period - 1) : access.address % key.period;
    return offset == key.offset && access.run_bytes == key.run_bytes && access.levels == key.levels;
  }
  /// What to XOR the channels of `key`'s split with for `access`.
  std::uint32_t mask_of(const AccessPattern& access, const SplitKey& key) const;
  /// Bytes on each channel, before the mask.
  std::vector<std::uint64_t> bytes_of(const SplitKey& key) const;
  /// Bytes on each channel.
  std::vector<std::uint64_t> bytes_of(const AccessPattern& access) const;

 private:
  bool shares_splits() const { return folds_ && slots_ == channels_; }
  std::uint32_t slot_of_block(std::uint64_t block) const;
  /// All runs of the innermost `levels` levels from `address` on.
  void add_runs(const SplitKey& key, std::size_t levels, std::uint64_t address,
                std::vector<std::uint64_t>& slots) const;
  void add_run(std::uint64_t address, std::uint64_t bytes, std::vector<std::uint64_t>& slots) const;

  std::uint32_t channels_;
  std::uint32_t slots_;  // values of the fold; the channels under modulo
  std::uint32_t slot_bits_;
  std::uint32_t block_bits_;
  std::uint32_t first_fold_;  // the largest slot_bits_ * 2^n below 64
  bool folds_;
  bool periods_are_powers_of_two_;
};

}  // namespace petal
