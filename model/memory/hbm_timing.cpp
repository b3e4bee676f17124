// SPDX-License-Identifier: Apache-2.0
#include "petal/memory/hbm_timing.hpp"

#include <algorithm>
#include <cmath>

namespace petal {
namespace {

/// Shapes that recur are few (tiles of a matrix differ in address only); this bounds what a hostile stream
/// can store.
constexpr std::size_t kMaxShapes = 4096;
constexpr std::size_t kRecent = 1024;

/// Tiles of one matrix that fall alike agree in what is used here: a few address bits, and how far the carry
/// reaches between a tile's first byte and its last.
std::size_t recent_place(const AccessPattern& access) {
  const AccessPattern::Level& rows = access.levels[0];
  const std::uint64_t last = access.address + rows.count * rows.stride + access.run_bytes;
  const auto carry = static_cast<std::uint64_t>(__builtin_clzll((access.address ^ last) | 1U));
  const std::uint64_t bits =
      (access.address >> 6U & 0xFFU) ^ access.run_bytes << 20U ^ access.levels[0].count << 8U ^ carry << 40U;
  return static_cast<std::size_t>((bits * 0x9E3779B97F4A7C15U) >> 54U);
}
static_assert(kRecent == 1U << 10U, "recent_place gives ten bits");

}  // namespace

HbmTiming::HbmTiming(const HbmConfig& config)
    : split_(config),
      bandwidth_(config.channel_bandwidth.gb_per_s() * config.efficiency),
      latency_(std::llround(config.latency_ns * 1000.0)),
      free_at_(config.channels, Picoseconds(0)),
      recent_(kRecent, nullptr) {}

const HbmTiming::PartsByKey::value_type& HbmTiming::parts_of(const AccessPattern& access) {
  const PartsByKey::value_type*& recent = recent_[recent_place(access)];
  if (recent == nullptr || !split_.matches(recent->first, access))
    recent = &find_or_work_out(split_.key_of(access));
  return *recent;
}

const HbmTiming::PartsByKey::value_type& HbmTiming::find_or_work_out(const SplitKey& key) {
  const auto found = parts_.find(key);
  if (found != parts_.end()) return *found;
  if (parts_.size() >= kMaxShapes) {
    parts_.clear();
    recent_.assign(kRecent, nullptr);
  }
  std::vector<Part> parts;
  const std::vector<std::uint64_t> bytes = split_.bytes_of(key);
  for (std::uint32_t channel = 0; channel < bytes.size(); ++channel)
    if (bytes[channel] != 0) parts.push_back({channel, bandwidth_.duration_of(Bytes(bytes[channel]))});
  return *parts_.emplace(key, std::move(parts)).first;
}

Picoseconds HbmTiming::reserve(Picoseconds arrival, const AccessPattern& access) {
  const auto& [key, parts] = parts_of(access);
  const std::uint32_t mask = split_.mask_of(access, key);
  Picoseconds moved = arrival;
  for (const Part& part : parts) {
    Picoseconds& free_at = free_at_[part.channel ^ mask];
    free_at = std::max(arrival, free_at) + part.duration;
    moved = std::max(moved, free_at);
  }
  return moved;
}

}  // namespace petal
