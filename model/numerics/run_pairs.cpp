// SPDX-License-Identifier: Apache-2.0
#include "petal/numerics/run_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace petal {

RunPairs::RunPairs(const TensorHandle& from, const TensorHandle& to) : from_(from.address), to_(to.address) {
  if (from.shape != to.shape || from.dtype != to.dtype)
    throw std::invalid_argument(fmt::format("{} cannot be copied to {}: give both one shape and dtype",
                                            from.to_string(), to.to_string()));
  const std::uint64_t element = size_of(from.dtype);
  if (from.elements() == 0) return;
  for (std::size_t axis = 0; axis < from.shape.rank(); ++axis)
    if (from.shape[axis] > 1)
      axes_.push_back({from.shape[axis], from.strides[axis] * element, to.strides[axis] * element});
  std::sort(axes_.begin(), axes_.end(), [](const Axis& a, const Axis& b) {
    return a.from_step != b.from_step ? a.from_step < b.from_step : a.to_step < b.to_step;
  });
  run_bytes_ = element;
  auto outer = axes_.begin();
  for (; outer != axes_.end() && outer->from_step == run_bytes_ && outer->to_step == run_bytes_; ++outer)
    run_bytes_ *= outer->count;
  axes_.erase(axes_.begin(), outer);
  runs_ = 1;
  for (const Axis& axis : axes_) runs_ *= axis.count;
}

std::optional<AccessPattern> RunPairs::gathered() const {
  return pattern(from_, &Axis::from_step, &Axis::to_step);
}

std::optional<AccessPattern> RunPairs::scattered() const {
  return pattern(to_, &Axis::to_step, &Axis::from_step);
}

std::optional<AccessPattern> RunPairs::pattern(std::uint64_t address, Step patterned, Step packed) const {
  AccessPattern pattern;
  pattern.address = address;
  pattern.run_bytes = run_bytes_;
  std::uint64_t packed_bytes = run_bytes_;
  for (std::size_t level = 0; level < axes_.size(); ++level) {
    if (axes_[level].*packed != packed_bytes) return std::nullopt;
    pattern.levels[level] = {axes_[level].count, axes_[level].*patterned};
    packed_bytes *= axes_[level].count;
  }
  return pattern;
}

RunPairs::Addresses RunPairs::run(std::uint64_t index) const {
  Addresses addresses{from_, to_};
  for (const Axis& axis : axes_) {
    const std::uint64_t position = index % axis.count;
    addresses.from += position * axis.from_step;
    addresses.to += position * axis.to_step;
    index /= axis.count;
  }
  return addresses;
}

}  // namespace petal
