// SPDX-License-Identifier: Apache-2.0
//
// PendingTracker: which issued command was the last to write each byte. This is how the host knows what the
// inputs of a new command wait for (SPEC 11.8): by the bytes, so that a copied handle, a view, or another
// handle of the same memory all find the same writer.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "petal/command/tensor_handle.hpp"

namespace petal {

class PendingTracker {
 public:
  /// At most `max_outstanding` commands are ever issued and not complete; writers older than that are
  /// forgotten.
  explicit PendingTracker(std::uint64_t max_outstanding) : max_outstanding_(max_outstanding) {}

  /// Command `writer` writes `range`. Writers come in increasing order.
  void record(const ByteRange& range, CompletionId writer);
  /// Adds the last writers of the bytes of `range` to `writers`.
  void collect(const ByteRange& range, std::vector<CompletionId>& writers) const;

  /// Intervals held, over both memories: what its memory is proportional to.
  std::size_t intervals() const { return maps_[0].size() + maps_[1].size(); }
  /// True if a writer was forgotten, so that a byte without one may have been written long ago.
  bool has_forgotten() const { return has_forgotten_; }

 private:
  struct Interval {
    std::uint64_t end;
    CompletionId writer;
  };
  using IntervalMap = std::map<std::uint64_t, Interval>;  ///< by first byte; intervals do not overlap

  static void replace(IntervalMap& map, const ByteRange& range, CompletionId writer);
  static void cut_at(IntervalMap& map, std::uint64_t address);
  void forget_before(CompletionId oldest);

  std::uint64_t max_outstanding_;
  std::array<IntervalMap, 2> maps_;
  std::size_t forget_above_ =
      1024;  ///< intervals; doubles with what is left, so that forgetting costs O(1) a record
  bool has_forgotten_ = false;
};

}  // namespace petal
