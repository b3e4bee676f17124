// SPDX-License-Identifier: Apache-2.0
#include "petal/host/lowered_composite.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace petal {
namespace {

void add_once(std::vector<ByteRange>& ranges, const ByteRange& range) {
  if (std::find(ranges.begin(), ranges.end(), range) == ranges.end()) ranges.push_back(range);
}

bool lies_within(const ByteRange& range, const ByteRange& whole) {
  return range.space == whole.space && whole.begin <= range.begin && range.end <= whole.end;
}

bool lies_within_any(const ByteRange& range, const std::vector<ByteRange>& wholes) {
  return std::any_of(wholes.begin(), wholes.end(),
                     [&](const ByteRange& whole) { return lies_within(range, whole); });
}

std::vector<ByteRange> inputs_of(const CompositeCmd& command) {
  std::vector<ByteRange> inputs;
  std::vector<ByteRange> written;
  // Tile ops run before the GEMM's result is stored, so their operands (`add` of the old O) are still from
  // outside.
  std::optional<ByteRange> unstored;
  for (const OpSpec& op : command.ops) {
    const bool on_tiles = op.scope != Scope::kernel;
    if (!on_tiles && unstored) written.push_back(*std::exchange(unstored, std::nullopt));
    for (std::size_t index = on_tiles ? 1 : 0; index < op.operands.size(); ++index) {
      const ByteRange range = op.operands[index].range();
      if (!lies_within_any(range, written)) add_once(inputs, range);
    }
    if (op.kind == Opcode::gemm) {
      unstored = op.out->range();
    } else if (!on_tiles && op.out) {
      written.push_back(op.out->range());
    }
  }
  return inputs;
}

std::vector<ByteRange> outputs_of(const CompositeCmd& command) {
  std::vector<ByteRange> outputs;
  for (const OpSpec& op : command.ops)
    if (op.out) add_once(outputs, op.out->range());
  return outputs;
}

}  // namespace

LoweredComposite lowered(CompositeCmd command, Bytes cap) {
  LoweredComposite composite;
  composite.segments = segment_composite(command, cap);
  composite.inputs = inputs_of(command);
  composite.outputs = outputs_of(command);
  composite.command = std::make_shared<PeCommand>(std::move(command));
  return composite;
}

}  // namespace petal
