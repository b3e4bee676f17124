// SPDX-License-Identifier: Apache-2.0
#include "petal/memory/access_pattern.hpp"

#include <algorithm>

namespace petal {
namespace {

struct Axis {
  std::uint64_t count;
  std::uint64_t stride;  // bytes
};

/// Axes of more than one element, widest stride last, so that neighbours can be merged into longer runs.
class AxisList {
 public:
  // Insertion keeps the few axes sorted.
  void add(std::uint64_t count, std::uint64_t stride) {
    if (count <= 1) return;
    std::size_t place = size_++;
    for (; place > 0 && axes_[place - 1].stride > stride; --place) axes_[place] = axes_[place - 1];
    axes_[place] = {count, stride};
  }

  AccessPattern pattern(std::uint64_t address, std::uint64_t element_bytes) const {
    AccessPattern pattern;
    pattern.address = address;
    pattern.run_bytes = element_bytes;
    std::size_t level = 0;
    std::size_t used = 0;
    for (; used < size_ && axes_[used].stride == pattern.run_bytes; ++used)
      pattern.run_bytes *= axes_[used].count;
    for (; used < size_; ++used) {
      AccessPattern::Level& previous = pattern.levels[level == 0 ? 0 : level - 1];
      if (level > 0 && axes_[used].stride == previous.count * previous.stride)
        previous.count *= axes_[used].count;
      else
        pattern.levels[level++] = {axes_[used].count, axes_[used].stride};
    }
    return pattern;
  }

 private:
  std::array<Axis, Dims::kMaxRank> axes_{};
  std::size_t size_ = 0;
};

AccessPattern nothing_at(std::uint64_t address) {
  AccessPattern pattern;
  pattern.address = address;
  return pattern;
}

std::uint64_t rect_address(const TensorHandle& tensor, const TileRect& rect) {
  return tensor.address +
         (rect.row * tensor.strides[0] + rect.column * tensor.strides[1]) * size_of(tensor.dtype);
}

}  // namespace

std::uint64_t AccessPattern::extent() const {
  if (runs() == 0 || run_bytes == 0) return 0;
  std::uint64_t last = run_bytes;
  for (const Level& level : levels) last += (level.count - 1) * level.stride;
  return last;
}

// Runs that do not overlap are nested: each level's stride steps over all that lies within it.
std::optional<std::uint64_t> AccessPattern::offset_of(std::uint64_t at, std::uint64_t bytes) const {
  if (at < address || at - address >= extent()) return std::nullopt;
  std::uint64_t within = at - address;
  std::uint64_t run = 0;
  std::uint64_t runs_of_level = runs();
  for (std::size_t level = kLevels; level-- > 0;) {
    const auto [count, stride] = levels[level];
    runs_of_level /= count;
    if (count == 1) continue;
    const std::uint64_t index = stride == 0 ? 0 : std::min(count - 1, within / stride);
    within -= index * stride;
    run += index * runs_of_level;
  }
  if (bytes <= run_bytes && within <= run_bytes - bytes) return run * run_bytes + within;
  std::optional<std::uint64_t> found;
  std::uint64_t offset = 0;
  for_each_run([&](std::uint64_t first, std::uint64_t) {
    if (!found && first <= at && bytes <= run_bytes && at - first <= run_bytes - bytes)
      found = offset + (at - first);
    offset += run_bytes;
  });
  return found;
}

AccessPattern access_of(const TensorHandle& tensor) {
  if (tensor.elements() == 0) return nothing_at(tensor.address);
  AxisList axes;
  for (std::size_t axis = 0; axis < tensor.shape.rank(); ++axis)
    axes.add(tensor.shape[axis], tensor.strides[axis] * size_of(tensor.dtype));
  return axes.pattern(tensor.address, size_of(tensor.dtype));
}

TensorHandle part_of(const TensorHandle& tensor, const TileRect& rect) {
  TensorHandle part = tensor;
  part.address = rect_address(tensor, rect);
  part.shape = {rect.rows, rect.columns};
  return part;
}

const AccessPattern& TileAccess::of(const TensorHandle& tensor, const TileRect& rect) {
  if (rect.rows == rows_ && rect.columns == columns_) {
    pattern_.address = rect_address(tensor, rect);
  } else {
    pattern_ = access_of(part_of(tensor, rect));
    rows_ = rect.rows;
    columns_ = rect.columns;
  }
  return pattern_;
}

}  // namespace petal
