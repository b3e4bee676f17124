// SPDX-License-Identifier: Apache-2.0
#include "petal/command/hazard_ranges.hpp"

#include <algorithm>

namespace petal {
namespace {

/// Fills a list with ranges, each once.
class DistinctRanges {
 public:
  explicit DistinctRanges(HazardRanges::List& list) : list_(list) { list_.clear(); }

  void add(const TensorHandle& tensor) {
    const ByteRange range = tensor.range();
    if (range.empty()) return;
    // Most tensors start in a slot of their own (SPEC 12.4): a bit that is not set saves the search.
    const std::uint64_t bit = std::uint64_t{1} << (range.begin / kSlotBytes % 64U);
    if ((begun_ & bit) != 0 && std::find(list_.begin(), list_.end(), range) != list_.end()) return;
    begun_ |= bit;
    // Copied as a whole, it would be read in other parts than it was written in, which stalls the processor.
    ByteRange& added = list_.emplace_back();
    added.space = range.space;
    added.begin = range.begin;
    added.end = range.end;
  }

 private:
  static constexpr std::uint64_t kSlotBytes = 64;

  HazardRanges::List& list_;
  std::uint64_t begun_ = 0;  // where ranges of the list begin
};

class CollectRanges {
 public:
  CollectRanges(const CommandSlice& slice, HazardRanges& ranges)
      : slice_(slice), reads_(ranges.reads), writes_(ranges.writes) {}

  void operator()(const DmaReadCmd& command) { copy(command.src, command.dst); }
  void operator()(const DmaWriteCmd& command) { copy(command.src, command.dst); }
  void operator()(const GemmCmd& command) {
    reads_.add(command.a);
    reads_.add(command.b);
    writes_.add(command.out);
  }
  void operator()(const MathCmd& command) {
    for (const TensorHandle& operand : command.operands) reads_.add(operand);
    writes_.add(command.out);
  }
  void operator()(const CompositeCmd& command) {
    for (std::size_t index = slice_.first_op; index < slice_.last_op; ++index) add(command.ops[index]);
    for (const TensorHandle& handle : command.rw_handles) {
      reads_.add(handle);
      writes_.add(handle);
    }
  }
  void operator()(const OverheadCmd&) {}

 private:
  void copy(const TensorHandle& src, const TensorHandle& dst) {
    reads_.add(src);
    writes_.add(dst);
  }

  void add(const OpSpec& op) {
    for (std::size_t index = 0; index < op.operands.size(); ++index) {
      const bool is_accumulator = op.scope != Scope::kernel && index == 0;
      (is_accumulator ? writes_ : reads_).add(op.operands[index]);
    }
    if (op.out) writes_.add(*op.out);
  }

  const CommandSlice& slice_;
  DistinctRanges reads_;
  DistinctRanges writes_;
};

}  // namespace

void collect_hazard_ranges(const CommandSlice& slice, HazardRanges& ranges) {
  std::visit(CollectRanges(slice, ranges), *slice.command);
}

HazardRanges hazard_ranges(const CommandSlice& slice) {
  HazardRanges ranges;
  collect_hazard_ranges(slice, ranges);
  return ranges;
}

}  // namespace petal
