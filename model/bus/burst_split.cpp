// SPDX-License-Identifier: Apache-2.0
#include "petal/bus/burst_split.hpp"

#include <algorithm>

namespace petal {
namespace {

bool touches_nothing(const AccessPattern& access) {
  return access.run_bytes == 0 ||
         std::any_of(access.levels.begin(), access.levels.end(),
                     [](const AccessPattern::Level& level) { return level.count == 0; });
}

/// The largest power of two that is not above `limit` and to which `address` is aligned.
std::uint64_t aligned_power_of_two(std::uint64_t address, std::uint64_t limit) {
  std::uint64_t size = 1;
  while (size <= limit / 2 && (address & size) == 0) size *= 2;
  return size;
}

}  // namespace

bool fits_address_space(const AccessPattern& access) {
  if (touches_nothing(access)) return true;
  std::uint64_t last = access.run_bytes - 1;
  bool overflow = false;
  for (const AccessPattern::Level& level : access.levels) {
    std::uint64_t reach = 0;
    overflow |= __builtin_mul_overflow(level.count - 1, level.stride, &reach);
    overflow |= __builtin_add_overflow(last, reach, &last);
  }
  return !overflow && !__builtin_add_overflow(access.address, last, &last);
}

BurstSplit::BurstSplit(const AccessPattern& access, const BusConfig& config)
    : access_(access),
      burst_bytes_(config.burst_bytes),
      ragged_(config.ragged),
      run_(access.address),
      run_left_(touches_nothing(access) ? 0 : access.run_bytes) {}

Burst BurstSplit::next() {
  const std::uint64_t address = run_ + (access_.run_bytes - run_left_);
  const std::uint64_t to_boundary = burst_bytes_ - (address & (burst_bytes_ - 1));
  std::uint64_t bytes = std::min(to_boundary, run_left_);
  if (ragged_ == RaggedBursts::power_of_two) bytes = aligned_power_of_two(address, bytes);
  const Burst burst{address, bytes, offset_};
  offset_ += bytes;
  run_left_ -= bytes;
  if (run_left_ == 0) next_run();
  return burst;
}

void BurstSplit::next_run() {
  for (std::size_t level = 0; level < access_.levels.size(); ++level) {
    const AccessPattern::Level& axis = access_.levels[level];
    if (++index_[level] < axis.count) {
      run_ += axis.stride;
      run_left_ = access_.run_bytes;
      return;
    }
    run_ -= (axis.count - 1) * axis.stride;
    index_[level] = 0;
  }
}

}  // namespace petal
