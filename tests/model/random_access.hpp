// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>

#include "model/address_walk.hpp"

namespace petal::test {

/// Any number of channels, power of two or not, with either interleave.
inline HbmConfig random_hbm(std::mt19937_64& random) {
  HbmConfig config;
  config.channels = random() % 2 == 0 ? 1U << (random() % 7) : static_cast<std::uint32_t>(1 + random() % 64);
  config.interleave_bytes = std::uint64_t{1} << (random() % 11);
  config.interleave = random() % 4 == 0 ? HbmInterleave::modulo : HbmInterleave::xor_fold;
  return config;
}

/// A small access anywhere in 48 bits; often just below a power of two, so that its offsets carry into high
/// bits.
inline AccessPattern random_access(std::mt19937_64& random) {
  AccessPattern access;
  const std::uint64_t bit = 12 + random() % 36;
  access.address = random() % 2 == 0 ? random() >> 16U : (std::uint64_t{1} << bit) - random() % 4096;
  access.run_bytes = random() % 8 == 0 ? random() % 20000 : 1 + random() % 300;
  std::uint64_t extent = access.run_bytes;
  for (AccessPattern::Level& level : access.levels) {
    if (random() % 3 == 0) continue;
    level.count = 1 + random() % 4;
    level.stride = random() % 2 == 0 ? std::uint64_t{1} << (random() % 20) : extent + random() % 1000;
    extent += (level.count - 1) * level.stride;
  }
  return access;
}

}  // namespace petal::test
