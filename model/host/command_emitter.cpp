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

/// What a primitive reads.
struct CollectInputs {
  const PendingTracker& pending;
  std::vector<CompletionId>& completions;

  void operator()(const DmaReadCmd& command) { collect(command.src); }
  void operator()(const DmaWriteCmd& command) { collect(command.src); }
  void operator()(const GemmCmd& command) {
    collect(command.a);
    collect(command.b);
  }
  void operator()(const MathCmd& command) {
    for (const TensorHandle& operand : command.operands) collect(operand);
  }
  void operator()(const CompositeCmd&) {}
  void operator()(const OverheadCmd&) {}

 private:
  void collect(const TensorHandle& tensor) { pending.collect(tensor.range(), completions); }
};

/// What a primitive writes.
struct RecordOutputs {
  PendingTracker& pending;
  CompletionId writer;

  void operator()(const DmaReadCmd& command) { pending.record(command.dst.range(), writer); }
  void operator()(const DmaWriteCmd& command) { pending.record(command.dst.range(), writer); }
  void operator()(const GemmCmd& command) { pending.record(command.out.range(), writer); }
  void operator()(const MathCmd& command) { pending.record(command.out.range(), writer); }
  void operator()(const CompositeCmd&) {}
  void operator()(const OverheadCmd&) {}
};

}  // namespace

CompletionId CommandEmitter::issue_primitive(PeCommand command) {
  const CompletionId completion = next_++;
  framing_of(command).completion = completion;
  IssueRequest request;
  waits_.clear();
  std::visit(CollectInputs{pending_, waits_}, command);
  sort_unique(waits_);
  request.pending_inputs = waits_;
  request.slice.completion = completion;
  request.slice.logical_bytes = logical_bytes(command);
  request.slice.command = std::make_shared<const PeCommand>(std::move(command));
  std::visit(RecordOutputs{pending_, completion}, *request.slice.command);
  sink_.issue(request);
  return completion;
}

CompletionId CommandEmitter::issue_composite(const LoweredComposite& composite) {
  const std::vector<CompositeSegment>& segments = composite.segments;
  const CompletionId first = next_;
  const CompletionId last = first + segments.size() - 1;
  next_ = last + 1;
  framing_of(*composite.command).completion = first;
  IssueRequest request;
  request.is_primitive = false;
  request.slice.command = composite.command;
  waits_.clear();
  for (const ByteRange& range : composite.inputs) pending_.collect(range, waits_);
  sort_unique(waits_);
  request.pending_inputs = waits_;
  for (const ByteRange& range : composite.outputs) pending_.record(range, last);
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
