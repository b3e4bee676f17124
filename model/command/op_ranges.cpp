// SPDX-License-Identifier: Apache-2.0
#include "petal/command/op_ranges.hpp"

#include <fmt/format.h>

#include "petal/command/error.hpp"

namespace petal {
namespace {

/// Walks through a composite's bytes, op by op.
class OpCursor {
 public:
  explicit OpCursor(const CompositeCmd& composite) : ops_(composite.ops) {}

  /// The ops that the next `bytes` bytes hold in front of nothing else, or nothing if they end inside one.
  bool take(Bytes bytes, OpRange& range) {
    range.first = next_;
    Bytes taken(0);
    while (taken < bytes && next_ < ops_.size()) taken += logical_bytes(ops_[next_++]);
    range.last = next_;
    return taken == bytes;
  }

  bool starts_with_tile_op() const { return next_ < ops_.size() && ops_[next_].scope != Scope::kernel; }

 private:
  const std::vector<OpSpec>& ops_;
  std::uint32_t next_ = 0;
};

[[noreturn]] void refuse_end(std::size_t slice, Bytes length) {
  throw DecodeError(fmt::format("slice {} of {} bytes does not end between two ops; cut composites there",
                                slice, length.count()));
}

OpRange range_of(OpCursor& cursor, std::size_t slice, Bytes length, Bytes header) {
  if (slice > 0 && cursor.starts_with_tile_op())
    throw DecodeError(
        fmt::format("slice {} starts with a tile op; a GEMM is not cut from its tile ops", slice));
  OpRange range;
  if (length < header || !cursor.take(length - header, range)) refuse_end(slice, length);
  if (slice > 0 && range.first == range.last)
    throw DecodeError(fmt::format("slice {} has no ops; only the first may hold the header alone", slice));
  return range;
}

}  // namespace

std::vector<OpRange> op_ranges(const PeCommand& command, const std::vector<Bytes>& lengths) {
  const auto* const composite = std::get_if<CompositeCmd>(&command);
  if (composite == nullptr) {
    if (lengths.size() == 1) return {OpRange{}};
    throw DecodeError(
        fmt::format("a {} is sent whole, not in {} slices", kind_name(command), lengths.size()));
  }
  std::vector<OpRange> ranges;
  OpCursor cursor(*composite);
  for (std::size_t slice = 0; slice < lengths.size(); ++slice)
    ranges.push_back(
        range_of(cursor, slice, lengths[slice], slice == 0 ? header_bytes(*composite) : Bytes(0)));
  return ranges;
}

}  // namespace petal
