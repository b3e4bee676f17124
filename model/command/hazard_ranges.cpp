// SPDX-License-Identifier: Apache-2.0
#include "petal/command/hazard_ranges.hpp"

#include <algorithm>

namespace petal {
namespace {

void add_once(HazardRanges::List& ranges, const TensorHandle& tensor) {
  const ByteRange range = tensor.range();
  if (range.empty() || std::find(ranges.begin(), ranges.end(), range) != ranges.end()) return;
  ranges.push_back(range);
}

struct CollectRanges {
  const CommandSlice& slice;
  HazardRanges& ranges;

  void operator()(const DmaReadCmd& command) const { copy(command.src, command.dst); }
  void operator()(const DmaWriteCmd& command) const { copy(command.src, command.dst); }
  void operator()(const GemmCmd& command) const {
    add_once(ranges.reads, command.a);
    add_once(ranges.reads, command.b);
    add_once(ranges.writes, command.out);
  }
  void operator()(const MathCmd& command) const {
    for (const TensorHandle& operand : command.operands) add_once(ranges.reads, operand);
    add_once(ranges.writes, command.out);
  }
  void operator()(const CompositeCmd& command) const {
    for (std::size_t index = slice.first_op; index < slice.last_op; ++index) add(command.ops[index]);
    for (const TensorHandle& handle : command.rw_handles) {
      add_once(ranges.reads, handle);
      add_once(ranges.writes, handle);
    }
  }
  void operator()(const OverheadCmd&) const {}

 private:
  void copy(const TensorHandle& src, const TensorHandle& dst) const {
    add_once(ranges.reads, src);
    add_once(ranges.writes, dst);
  }

  void add(const OpSpec& op) const {
    for (std::size_t index = 0; index < op.operands.size(); ++index) {
      const bool is_accumulator = op.scope != Scope::kernel && index == 0;
      add_once(is_accumulator ? ranges.writes : ranges.reads, op.operands[index]);
    }
    if (op.out) add_once(ranges.writes, *op.out);
  }
};

}  // namespace

HazardRanges hazard_ranges(const CommandSlice& slice) {
  HazardRanges ranges;
  std::visit(CollectRanges{slice, ranges}, *slice.command);
  return ranges;
}

}  // namespace petal
