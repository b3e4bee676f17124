// SPDX-License-Identifier: Apache-2.0
#include "petal/memory/hbm_timing.hpp"

#include <algorithm>
#include <cmath>

namespace petal {
namespace {

std::uint32_t log2_ceil(std::uint64_t value) {
  std::uint32_t bits = 0;
  while ((std::uint64_t{1} << bits) < value) ++bits;
  return bits;
}

/// Shapes that recur are few (tiles of a matrix differ in address only); this bounds what a hostile stream can store.
constexpr std::size_t kMaxHistograms = 4096;

}  // namespace

HbmTiming::HbmTiming(const HbmConfig& config)
    : channels_(config.channels),
      slots_(config.interleave == HbmInterleave::xor_fold ? 1U << log2_ceil(config.channels) : config.channels),
      slot_bits_(log2_ceil(config.channels)),
      block_bits_(log2_ceil(config.interleave_bytes)),
      folds_(config.interleave == HbmInterleave::xor_fold),
      bandwidth_(config.channel_bandwidth.gb_per_s() * config.efficiency),
      latency_(std::llround(config.latency_ns * 1000.0)),
      free_at_(config.channels, Picoseconds(0)),
      channel_bytes_(config.channels, 0),
      run_histogram_(slots_, 0) {}

std::size_t HbmTiming::ShapeHash::operator()(const Shape& shape) const {
  std::uint64_t hash = shape.offset;
  const auto mix = [&hash](std::uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 29U;
  };
  mix(shape.run_bytes);
  for (const AccessPattern::Level& level : shape.levels) {
    mix(level.count);
    mix(level.stride);
  }
  return static_cast<std::size_t>(hash);
}

std::uint32_t HbmTiming::slot_of_block(std::uint64_t block) const {
  if (!folds_) return static_cast<std::uint32_t>(block % channels_);
  if (slot_bits_ == 0) return 0;
  std::uint64_t fold = 0;
  for (; block != 0; block >>= slot_bits_) fold ^= block;
  return static_cast<std::uint32_t>(fold & (slots_ - 1));
}

std::uint32_t HbmTiming::channel_of(std::uint64_t address) const {
  return channel_of_slot(slot_of_block(address >> block_bits_));
}

void HbmTiming::add_run(std::uint64_t address, std::uint64_t bytes, Histogram& histogram) const {
  const std::uint64_t block_bytes = std::uint64_t{1} << block_bits_;
  std::uint64_t block = address >> block_bits_;
  const std::uint64_t head = std::min(bytes, block_bytes - (address & (block_bytes - 1)));
  histogram[slot_of_block(block)] += head;
  bytes -= head;
  ++block;
  // Any `slots_` whole blocks in a row that start at a multiple of `slots_` put one block on each slot.
  while (bytes >= block_bytes && block % slots_ != 0) {
    histogram[slot_of_block(block++)] += block_bytes;
    bytes -= block_bytes;
  }
  const std::uint64_t rounds = bytes / (block_bytes * slots_);
  if (rounds > 0)
    for (std::uint64_t& slot : histogram) slot += rounds * block_bytes;
  block += rounds * slots_;
  bytes -= rounds * block_bytes * slots_;
  for (; bytes > 0; ++block) {
    const std::uint64_t part = std::min(bytes, block_bytes);
    histogram[slot_of_block(block)] += part;
    bytes -= part;
  }
}

void HbmTiming::add_all_runs(const Shape& shape, Histogram& histogram) const {
  for (std::uint64_t outer = 0; outer < shape.levels[2].count; ++outer)
    for (std::uint64_t middle = 0; middle < shape.levels[1].count; ++middle)
      for (std::uint64_t inner = 0; inner < shape.levels[0].count; ++inner)
        add_run(shape.offset + outer * shape.levels[2].stride + middle * shape.levels[1].stride +
                    inner * shape.levels[0].stride,
                shape.run_bytes, histogram);
}

const HbmTiming::Histogram& HbmTiming::histogram_of(const Shape& shape) {
  const auto found = histograms_.find(shape);
  if (found != histograms_.end()) return found->second;
  if (histograms_.size() >= kMaxHistograms) histograms_.clear();
  Histogram histogram(slots_, 0);
  add_all_runs(shape, histogram);
  return histograms_.emplace(shape, std::move(histogram)).first->second;
}

// The fold is linear over XOR, so an access whose offsets do not carry into the high bits of its base address is the
// access at the low bits alone with every slot XORed by the fold of the high bits. Under plain modulo only the base
// modulo one round of channels matters.
const HbmTiming::Histogram& HbmTiming::split(const AccessPattern& access, std::uint32_t& mask) {
  mask = 0;
  if (access.contiguous()) {
    std::fill(run_histogram_.begin(), run_histogram_.end(), 0);
    add_run(access.address, access.run_bytes, run_histogram_);
    return run_histogram_;
  }
  Shape shape{access.address, access.run_bytes, access.levels};
  if (folds_) {
    const std::uint64_t extent = access.extent();
    std::uint32_t low_bits = std::max(block_bits_, log2_ceil(extent));
    const auto low_part = [&] { return access.address & ((std::uint64_t{1} << low_bits) - 1); };
    while (low_bits < 63 && low_part() + extent > std::uint64_t{1} << low_bits) ++low_bits;
    shape.offset = low_part();
    mask = slot_of_block((access.address - shape.offset) >> block_bits_);
  } else {
    shape.offset = access.address % (std::uint64_t{channels_} << block_bits_);
  }
  return histogram_of(shape);
}

Picoseconds HbmTiming::reserve(Picoseconds arrival, const AccessPattern& access) {
  if (access.bytes() == Bytes(0)) return arrival;
  std::uint32_t mask = 0;
  const Histogram& histogram = split(access, mask);
  std::fill(channel_bytes_.begin(), channel_bytes_.end(), 0);
  for (std::uint32_t slot = 0; slot < slots_; ++slot)
    channel_bytes_[channel_of_slot(slot ^ mask)] += histogram[slot];
  Picoseconds moved = arrival;
  for (std::uint32_t channel = 0; channel < channels_; ++channel) {
    if (channel_bytes_[channel] == 0) continue;
    const Picoseconds start = std::max(arrival, free_at_[channel]);
    free_at_[channel] = start + bandwidth_.duration_of(Bytes(channel_bytes_[channel]));
    moved = std::max(moved, free_at_[channel]);
  }
  return moved;
}

std::vector<std::uint64_t> HbmTiming::bytes_per_channel(const AccessPattern& access) {
  std::vector<std::uint64_t> bytes(channels_, 0);
  if (access.bytes() == Bytes(0)) return bytes;
  std::uint32_t mask = 0;
  const Histogram& histogram = split(access, mask);
  for (std::uint32_t slot = 0; slot < slots_; ++slot) bytes[channel_of_slot(slot ^ mask)] += histogram[slot];
  return bytes;
}

}  // namespace petal
