// SPDX-License-Identifier: Apache-2.0
#include "petal/host/command_emitter.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace petal {
namespace {

void sort_unique(std::vector<CompletionId>& completions) {
  std::sort(completions.begin(), completions.end());
  completions.erase(std::unique(completions.begin(), completions.end()), completions.end());
}

bool lies_within(const ByteRange& range, const ByteRange& whole) {
  return range.space == whole.space && whole.begin <= range.begin && range.end <= whole.end;
}

class CollectInputs {
 public:
  explicit CollectInputs(std::vector<ByteRange>& inputs) : inputs_(inputs) {}

  void operator()(const DmaReadCmd& command) { inputs_.push_back(command.src.range()); }
  void operator()(const DmaWriteCmd& command) { inputs_.push_back(command.src.range()); }
  void operator()(const GemmCmd& command) { inputs_ = {command.a.range(), command.b.range()}; }
  void operator()(const MathCmd& command) {
    for (const TensorHandle& operand : command.operands) inputs_.push_back(operand.range());
  }
  void operator()(const OverheadCmd&) {}

  void operator()(const CompositeCmd& command) {
    // Tile ops run before the GEMM's result is stored, so their operands (`add` of the old O) are still from
    // outside.
    std::optional<ByteRange> unstored;
    for (const OpSpec& op : command.ops) {
      const bool on_tiles = op.scope != Scope::kernel;
      if (!on_tiles && unstored) written_.push_back(*std::exchange(unstored, std::nullopt));
      for (std::size_t index = on_tiles ? 1 : 0; index < op.operands.size(); ++index)
        add(op.operands[index].range());
      if (op.kind == Opcode::gemm) {
        unstored = op.out->range();
      } else if (!on_tiles && op.out) {
        written_.push_back(op.out->range());
      }
    }
  }

 private:
  void add(const ByteRange& range) {
    const bool made_here = std::any_of(written_.begin(), written_.end(),
                                       [&](const ByteRange& written) { return lies_within(range, written); });
    if (!made_here) inputs_.push_back(range);
  }

  std::vector<ByteRange>& inputs_;
  std::vector<ByteRange> written_;
};

struct RecordOutputs {
  PendingTracker& pending;
  CompletionId writer;

  void operator()(const DmaReadCmd& command) { pending.record(command.dst.range(), writer); }
  void operator()(const DmaWriteCmd& command) { pending.record(command.dst.range(), writer); }
  void operator()(const GemmCmd& command) { pending.record(command.out.range(), writer); }
  void operator()(const MathCmd& command) { pending.record(command.out.range(), writer); }
  void operator()(const CompositeCmd& command) {
    for (const OpSpec& op : command.ops)
      if (op.out) pending.record(op.out->range(), writer);
  }
  void operator()(const OverheadCmd&) {}
};

std::vector<CompletionId> pending_inputs(const PendingTracker& pending, const PeCommand& command) {
  std::vector<CompletionId> completions;
  for (const ByteRange& range : external_inputs(command)) pending.collect(range, completions);
  sort_unique(completions);
  return completions;
}

}  // namespace

std::vector<ByteRange> external_inputs(const PeCommand& command) {
  std::vector<ByteRange> inputs;
  std::visit(CollectInputs(inputs), command);
  return inputs;
}

CompletionId CommandEmitter::issue_primitive(PeCommand command) {
  const CompletionId completion = next_++;
  framing_of(command).completion = completion;
  IssueRequest request;
  request.pending_inputs = pending_inputs(pending_, command);
  request.slice.completion = completion;
  request.slice.logical_bytes = logical_bytes(command);
  request.slice.command = std::make_shared<const PeCommand>(std::move(command));
  std::visit(RecordOutputs{pending_, completion}, *request.slice.command);
  sink_.issue(request);
  return completion;
}

CompletionId CommandEmitter::issue_composite(CompositeCmd command,
                                             const std::vector<CompositeSegment>& segments) {
  const CompletionId first = next_;
  const CompletionId last = first + segments.size() - 1;
  next_ = last + 1;
  command.completion = first;
  IssueRequest request;
  request.is_primitive = false;
  request.slice.command = std::make_shared<const PeCommand>(std::move(command));
  request.pending_inputs = pending_inputs(pending_, *request.slice.command);
  std::visit(RecordOutputs{pending_, last}, *request.slice.command);
  request.slice.segments = static_cast<std::uint32_t>(segments.size());
  for (std::uint32_t index = 0; index < segments.size(); ++index) {
    request.slice.completion = first + index;
    request.slice.segment = index;
    request.slice.logical_bytes = segments[index].logical_bytes;
    request.slice.first_op = segments[index].first_op;
    request.slice.last_op = segments[index].last_op;
    sink_.issue(request);
  }
  return last;
}

std::vector<CompletionId> CommandEmitter::completions_of(const TensorHandle& handle) const {
  std::vector<CompletionId> completions;
  pending_.collect(handle.range(), completions);
  if (handle.pending >= first_) completions.push_back(handle.pending);
  sort_unique(completions);
  return completions;
}

}  // namespace petal
