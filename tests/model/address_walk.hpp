// SPDX-License-Identifier: Apache-2.0
//
// Byte by byte: what the closed forms of the memory room are compared with.
#pragma once

#include <cstdint>
#include <vector>

#include "petal/memory/access_pattern.hpp"
#include "petal/memory/memory_config.hpp"

namespace petal::test {

/// The addresses of all bytes of `access`, in no particular order.
inline std::vector<std::uint64_t> addresses_of(const AccessPattern& access) {
  std::vector<std::uint64_t> starts = {access.address};
  for (const AccessPattern::Level& level : access.levels) {
    std::vector<std::uint64_t> repeated;
    for (std::uint64_t index = 0; index < level.count; ++index)
      for (const std::uint64_t start : starts) repeated.push_back(start + index * level.stride);
    starts = repeated;
  }
  std::vector<std::uint64_t> addresses;
  for (const std::uint64_t start : starts)
    for (std::uint64_t byte = 0; byte < access.run_bytes; ++byte) addresses.push_back(start + byte);
  return addresses;
}

/// SPEC 12.2, one bit at a time: bit i of address / interleave toggles bit i mod w of the fold, where w bits
/// hold the channel numbers.
inline std::uint32_t channel_by_definition(const HbmConfig& config, std::uint64_t address) {
  const std::uint64_t block = address / config.interleave_bytes;
  if (config.interleave == HbmInterleave::modulo) return static_cast<std::uint32_t>(block % config.channels);
  std::uint32_t width = 0;
  while ((1U << width) < config.channels) ++width;
  std::uint32_t fold = 0;
  for (std::uint32_t bit = 0; bit < 64 && width > 0; ++bit)
    if ((block >> bit & 1U) != 0) fold ^= 1U << (bit % width);
  return fold % config.channels;
}

inline std::vector<std::uint64_t> channel_bytes_by_definition(const HbmConfig& config,
                                                              const AccessPattern& access) {
  std::vector<std::uint64_t> bytes(config.channels, 0);
  for (const std::uint64_t address : addresses_of(access)) ++bytes[channel_by_definition(config, address)];
  return bytes;
}

}  // namespace petal::test
