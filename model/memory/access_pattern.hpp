// SPDX-License-Identifier: Apache-2.0
//
// AccessPattern: the bytes a DMA stage touches in HBM, as runs of contiguous bytes repeated at strides. A
// tile is its rows: the true bytes, without the gaps between them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "petal/command/tensor_handle.hpp"
#include "petal/command/units.hpp"

namespace petal {

struct AccessPattern {
  static constexpr std::size_t kLevels = Dims::kMaxRank;  ///< no axis of a tensor need continue another
  struct Level {
    std::uint64_t count = 1;   ///< repetitions
    std::uint64_t stride = 0;  ///< bytes between them
    friend bool operator==(const Level& a, const Level& b) {
      return a.count == b.count && a.stride == b.stride;
    }
  };

  std::uint64_t address = 0;            ///< of the first run
  std::uint64_t run_bytes = 0;          ///< of each run
  std::array<Level, kLevels> levels{};  ///< innermost first; unused levels count one

  std::uint64_t runs() const {
    std::uint64_t runs = 1;
    for (const Level& level : levels) runs *= level.count;
    return runs;
  }
  Bytes bytes() const { return Bytes(runs() * run_bytes); }
  /// One past the last byte, relative to `address`; 0 if nothing is touched.
  std::uint64_t extent() const;
  /// Where `bytes` bytes at `at` lie among the pattern's own, taken run after run without the gaps; nothing
  /// if no run has all of them.
  std::optional<std::uint64_t> offset_of(std::uint64_t at, std::uint64_t bytes) const;
  bool contiguous() const { return runs() == 1; }
  /// Calls function(address, bytes) for each run, innermost level fastest.
  template <typename Function>
  void for_each_run(Function function) const {
    std::array<std::uint64_t, kLevels> index{};
    std::uint64_t run = address;
    for (std::uint64_t left = run_bytes == 0 ? 0 : runs(); left > 0; --left) {
      function(run, run_bytes);
      for (std::size_t level = 0; level < kLevels; ++level) {
        run += levels[level].stride;
        if (++index[level] < levels[level].count) break;
        run -= levels[level].count * levels[level].stride;
        index[level] = 0;
      }
    }
  }
};

/// A rectangle of a two-dimensional tensor, in elements.
struct TileRect {
  std::uint64_t row = 0;
  std::uint64_t column = 0;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
};

/// The bytes of a whole tensor of any rank. A transposed view gives the runs of the stored tensor.
AccessPattern access_of(const TensorHandle& tensor);
/// `rect` of a rank-2 tensor, as a tensor of its own.
TensorHandle part_of(const TensorHandle& tensor, const TileRect& rect);

/// Accesses to rectangles of one tensor. Those of one size differ in their address only.
class TileAccess {
 public:
  /// access_of(part_of(tensor, rect)). `tensor` must be the same in every call.
  const AccessPattern& of(const TensorHandle& tensor, const TileRect& rect);

 private:
  AccessPattern pattern_;
  std::uint64_t rows_ = 0;
  std::uint64_t columns_ = 0;
};

}  // namespace petal
