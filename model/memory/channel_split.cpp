// SPDX-License-Identifier: Apache-2.0
#include "petal/memory/channel_split.hpp"

#include <algorithm>

namespace petal {
namespace {

/// Bits that hold the values below `value`.
std::uint32_t bits_below(std::uint64_t value) {
  return value <= 1 ? 0U : 64U - static_cast<std::uint32_t>(__builtin_clzll(value - 1));
}

}  // namespace

std::size_t SplitKeyHash::operator()(const SplitKey& key) const {
  std::uint64_t hash = key.offset * 0x9E3779B97F4A7C15U;
  const auto mix = [&hash](std::uint64_t value) {
    hash = (hash ^ (hash >> 29U) ^ value) * 0xBF58476D1CE4E5B9U;
  };
  mix(key.run_bytes);
  for (const AccessPattern::Level& level : key.levels) mix(level.count ^ (level.stride << 20U));
  return static_cast<std::size_t>(hash ^ (hash >> 32U));
}

ChannelSplit::ChannelSplit(const HbmConfig& config)
    : channels_(config.channels),
      slots_(config.interleave == HbmInterleave::xor_fold ? 1U << bits_below(config.channels)
                                                          : config.channels),
      slot_bits_(bits_below(config.channels)),
      block_bits_(bits_below(config.interleave_bytes)),
      first_fold_(slot_bits_),
      folds_(config.interleave == HbmInterleave::xor_fold),
      periods_are_powers_of_two_(folds_ || (config.channels & (config.channels - 1)) == 0) {
  while (first_fold_ != 0 && first_fold_ < 32) first_fold_ *= 2;
}

// Each step XORs the upper half of the groups that are left onto the lower half.
std::uint32_t ChannelSplit::slot_of_block(std::uint64_t block) const {
  if (!folds_) return static_cast<std::uint32_t>(block % channels_);
  if (slot_bits_ == 0) return 0;
  for (std::uint32_t shift = first_fold_; shift >= slot_bits_; shift /= 2) block ^= block >> shift;
  return static_cast<std::uint32_t>(block & (slots_ - 1));
}

std::uint32_t ChannelSplit::channel_of(std::uint64_t address) const {
  return slot_of_block(address >> block_bits_) % channels_;
}

SplitKey ChannelSplit::key_of(const AccessPattern& access) const {
  SplitKey key{0, 0, access.run_bytes, access.levels};
  if (!folds_) {
    key.period = std::uint64_t{channels_} << block_bits_;
  } else if (shares_splits()) {
    const std::uint64_t extent = access.extent();
    std::uint32_t low_bits = std::max(block_bits_, bits_below(extent));
    const auto low_part = [&] { return access.address & ((std::uint64_t{1} << low_bits) - 1); };
    while (low_bits < 63 && low_part() + extent > std::uint64_t{1} << low_bits) ++low_bits;
    key.period = std::uint64_t{1} << low_bits;
  }
  key.offset = key.period == 0 ? access.address : access.address % key.period;
  return key;
}

std::uint32_t ChannelSplit::mask_of(const AccessPattern& access, const SplitKey& key) const {
  return shares_splits() ? slot_of_block((access.address - key.offset) >> block_bits_) : 0;
}

void ChannelSplit::add_run(std::uint64_t address, std::uint64_t bytes,
                           std::vector<std::uint64_t>& slots) const {
  const std::uint64_t block_bytes = std::uint64_t{1} << block_bits_;
  std::uint64_t block = address >> block_bits_;
  const std::uint64_t head = std::min(bytes, block_bytes - (address & (block_bytes - 1)));
  slots[slot_of_block(block)] += head;
  bytes -= head;
  ++block;
  // Any `slots_` whole blocks in a row that start at a multiple of `slots_` put one block on each slot.
  while (bytes >= block_bytes && block % slots_ != 0) {
    slots[slot_of_block(block++)] += block_bytes;
    bytes -= block_bytes;
  }
  const std::uint64_t rounds = bytes / (block_bytes * slots_);
  if (rounds > 0)
    for (std::uint64_t& slot : slots) slot += rounds * block_bytes;
  block += rounds * slots_;
  bytes -= rounds * block_bytes * slots_;
  for (; bytes > 0; ++block) {
    const std::uint64_t part = std::min(bytes, block_bytes);
    slots[slot_of_block(block)] += part;
    bytes -= part;
  }
}

void ChannelSplit::add_runs(const SplitKey& key, std::size_t levels, std::uint64_t address,
                            std::vector<std::uint64_t>& slots) const {
  if (levels == 0) return add_run(address, key.run_bytes, slots);
  const AccessPattern::Level& outermost = key.levels[levels - 1];
  for (std::uint64_t index = 0; index < outermost.count; ++index)
    add_runs(key, levels - 1, address + index * outermost.stride, slots);
}

std::vector<std::uint64_t> ChannelSplit::bytes_of(const SplitKey& key) const {
  std::vector<std::uint64_t> slots(slots_, 0);
  add_runs(key, key.levels.size(), key.offset, slots);
  std::vector<std::uint64_t> channels(channels_, 0);
  for (std::uint32_t slot = 0; slot < slots_; ++slot) channels[slot % channels_] += slots[slot];
  return channels;
}

std::vector<std::uint64_t> ChannelSplit::bytes_of(const AccessPattern& access) const {
  const SplitKey key = key_of(access);
  const std::uint32_t mask = mask_of(access, key);
  const std::vector<std::uint64_t> unmasked = bytes_of(key);
  std::vector<std::uint64_t> bytes(channels_, 0);
  for (std::uint32_t channel = 0; channel < channels_; ++channel) bytes[channel ^ mask] = unmasked[channel];
  return bytes;
}

}  // namespace petal
