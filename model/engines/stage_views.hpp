// SPDX-License-Identifier: Apache-2.0
//
// StageViews: the tensors, or parts of tensors, that a stage reads and writes outside its engine. Logs show
// where they lie; data mode moves what they hold.
#pragma once

#include <array>
#include <optional>

#include "petal/command/tensor_handle.hpp"

namespace petal {

struct StageViews {
  std::array<TensorHandle, 3> reads{};
  std::uint32_t read_count = 0;
  std::optional<TensorHandle> write;

  /// Precondition: fewer than three so far; no op has more operands.
  void add_read(const TensorHandle& view) { reads[read_count++] = view; }
};

/// Where they lie, without those of no bytes.
struct StageRanges {
  std::array<ByteRange, 3> reads{};
  std::uint32_t read_count = 0;
  std::array<ByteRange, 1> writes{};
  std::uint32_t write_count = 0;
};

StageRanges ranges_of(const StageViews& views);

}  // namespace petal
