// SPDX-License-Identifier: Apache-2.0
#include "petal/memory/hbm_timing.hpp"

#include <algorithm>
#include <cmath>

namespace petal {
namespace {

/// Shapes that recur are few (tiles of a matrix differ in address only); this bounds what a hostile stream
/// can store.
constexpr std::size_t kMaxShapes = 4096;

}  // namespace

HbmTiming::HbmTiming(const HbmConfig& config)
    : split_(config),
      bandwidth_(config.channel_bandwidth.gb_per_s() * config.efficiency),
      latency_(std::llround(config.latency_ns * 1000.0)),
      free_at_(config.channels, Picoseconds(0)) {}

const std::vector<HbmTiming::Part>& HbmTiming::parts_of(const SplitKey& key) {
  const auto found = parts_.find(key);
  if (found != parts_.end()) return found->second;
  if (parts_.size() >= kMaxShapes) parts_.clear();
  std::vector<Part> parts;
  const std::vector<std::uint64_t> bytes = split_.bytes_of(key);
  for (std::uint32_t channel = 0; channel < bytes.size(); ++channel)
    if (bytes[channel] != 0) parts.push_back({channel, bandwidth_.duration_of(Bytes(bytes[channel]))});
  return parts_.emplace(key, std::move(parts)).first->second;
}

Picoseconds HbmTiming::reserve(Picoseconds arrival, const AccessPattern& access) {
  if (access.bytes() == Bytes(0)) return arrival;
  const SplitKey key = split_.key_of(access);
  const std::uint32_t mask = split_.mask_of(access, key);
  Picoseconds moved = arrival;
  for (const Part& part : parts_of(key)) {
    Picoseconds& free_at = free_at_[part.channel ^ mask];
    free_at = std::max(arrival, free_at) + part.duration;
    moved = std::max(moved, free_at);
  }
  return moved;
}

}  // namespace petal
