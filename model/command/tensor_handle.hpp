// SPDX-License-Identifier: Apache-2.0
//
// TensorHandle: where a tensor lies and what it looks like. It is a value; copying it copies nothing else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "petal/command/dims.hpp"
#include "petal/command/dtype.hpp"
#include "petal/command/units.hpp"

namespace petal {

/// The memory a tensor lies in. Each has an address space of its own.
enum class Space : std::uint8_t { hbm, tcm };

const char* name_of(Space space);

/// Names one issued command's completion. 0 names none. The wire carries it modulo 2^24 (SPEC 11.1).
using CompletionId = std::uint64_t;
inline constexpr CompletionId kNoCompletion = 0;
inline constexpr CompletionId kWireCompletionModulus = CompletionId{1} << 24U;

/// Bytes [begin, end) of one memory: what hazards are judged by.
struct ByteRange {
  Space space = Space::hbm;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  bool empty() const { return begin == end; }
  /// An empty range overlaps nothing, wherever it lies.
  bool overlaps(const ByteRange& other) const {
    return space == other.space && std::max(begin, other.begin) < std::min(end, other.end);
  }
  friend bool operator==(const ByteRange& a, const ByteRange& b) {
    return a.begin == b.begin && a.end == b.end && a.space == b.space;
  }
};

struct TensorHandle {
  std::uint64_t address = 0;  ///< byte address of element 0 within `space`
  Dims shape;                 ///< elements an axis
  Dims strides;               ///< elements between neighbours of an axis; same rank as `shape`
  DType dtype = DType::f32;
  Space space = Space::hbm;
  std::uint32_t lease = 0;  ///< host bookkeeping: the scratch allocation it was made by; 0 for none
  CompletionId pending = kNoCompletion;  ///< the completion its data waits for, or none

  /// True exactly when the data already sits in TCM, so that no DMA is needed to read it.
  bool pinned() const { return space == Space::tcm; }
  std::uint64_t elements() const { return shape.product(); }
  /// The true data bytes, without gaps between rows.
  Bytes bytes() const { return Bytes(elements() * size_of(dtype)); }
  /// The smallest interval that holds every element; empty if there are none.
  ByteRange range() const {
    std::uint64_t last = 0;
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
      if (shape[axis] == 0) return {space, address, address};
      last += (shape[axis] - 1) * strides[axis];
    }
    return {space, address, address + (last + 1) * size_of(dtype)};
  }
  /// "f16[4, 128]@tcm:0x40".
  std::string to_string() const;

  /// Equality of what is named; `pending` and `lease` are not part of it.
  bool same_tensor(const TensorHandle& other) const {
    return address == other.address && shape == other.shape && strides == other.strides &&
           dtype == other.dtype && space == other.space;
  }
};

/// A row-major tensor without gaps.
TensorHandle dense_tensor(Space space, std::uint64_t address, const Dims& shape, DType dtype);

/// The view with the last two axes exchanged; the data stays where it is. Throws std::invalid_argument below
/// rank 2.
TensorHandle transposed(const TensorHandle& tensor);

}  // namespace petal
