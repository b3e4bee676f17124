// SPDX-License-Identifier: Apache-2.0
#include "petal/command/recording_checker.hpp"

#include <fmt/format.h>

#include "petal/command/command_rules.hpp"

namespace petal {
namespace {

using Problem = std::optional<std::string>;

/// Precondition: `slice` is not a composite's.
Problem find_primitive_error(const CommandSlice& slice) {
  if (slice.segments == 1 && slice.segment == 0 && slice.first_op == 0 && slice.last_op == 0)
    return std::nullopt;
  return fmt::format(
      "segment {} of {} with ops [{}, {}) belongs to a {}, which is issued whole: 0 of 1 with [0, 0)",
      slice.segment, slice.segments, slice.first_op, slice.last_op, kind_name(*slice.command));
}

Problem find_composite_error(const CommandSlice& slice, const CompositeCmd& composite) {
  const std::size_t ops = composite.ops.size();
  if (slice.segment >= slice.segments)
    return fmt::format("segment {} is outside the composite's {}", slice.segment, slice.segments);
  if (slice.first_op > slice.last_op || slice.last_op > ops)
    return fmt::format("ops [{}, {}) are not a range of the composite's {}", slice.first_op, slice.last_op,
                       ops);
  if (slice.segment > 0 && slice.first_op == slice.last_op)
    return fmt::format("segment {} has no ops; only the first may hold the header alone", slice.segment);
  if (slice.first_op < ops && composite.ops[slice.first_op].scope != Scope::kernel)
    return fmt::format("segment {} starts at op {} with scope {}; a GEMM is not cut from its tile ops",
                       slice.segment, slice.first_op, name_of(composite.ops[slice.first_op].scope));
  if (slice.segment == 0 && slice.first_op != 0)
    return fmt::format("the first segment starts at op {}; it must start at op 0", slice.first_op);
  if (slice.segment + 1 == slice.segments && slice.last_op != ops)
    return fmt::format("the last segment ends at op {}; it must end at the composite's {}", slice.last_op,
                       ops);
  return std::nullopt;
}

Problem find_continuation_error(const CommandSlice& slice, const CommandSlice& previous) {
  if (slice.command != previous.command || slice.segments != previous.segments ||
      slice.segment != previous.segment + 1)
    return fmt::format("segment {} of {} does not follow segment {} of {} of the same composite",
                       slice.segment, slice.segments, previous.segment, previous.segments);
  if (slice.first_op != previous.last_op)
    return fmt::format("segment {} starts at op {}, but the one before it ends at op {}", slice.segment,
                       slice.first_op, previous.last_op);
  if (slice.completion != previous.completion + 1)
    return fmt::format("segment {} has completion {}; the next after the one before it is {}", slice.segment,
                       slice.completion, previous.completion + 1);
  return std::nullopt;
}

}  // namespace

Bytes bytes_of_slice(const CommandSlice& slice) {
  const auto* composite = std::get_if<CompositeCmd>(slice.command.get());
  if (!composite) return logical_bytes(*slice.command);
  Bytes sum = slice.segment == 0 ? header_bytes(*composite) : Bytes(0);
  for (std::size_t index = slice.first_op; index < slice.last_op; ++index)
    sum += logical_bytes(composite->ops[index]);
  return sum;
}

std::optional<std::string> RecordingChecker::find_error(const RecordedStep& step) {
  if (const auto* request = std::get_if<IssueRequest>(&step)) return find_issue_error(*request);
  if (const auto* wait = std::get_if<WaitStep>(&step)) return find_unknown("the wait", wait->completions);
  return std::nullopt;
}

std::optional<std::string> RecordingChecker::find_end_error() const {
  if (!previous_.command || previous_.segment + 1 == previous_.segments) return std::nullopt;
  return fmt::format(
      "the composite of completion {} ends after segment {} of {}; the recording is incomplete",
      previous_.completion, previous_.segment, previous_.segments);
}

std::optional<std::string> RecordingChecker::find_issue_error(const IssueRequest& request) {
  const CommandSlice& slice = request.slice;
  if (!slice.command)
    return "an issue has no command; only a composite's segments after its first may leave it off";
  if (std::holds_alternative<OverheadCmd>(*slice.command))
    return "an OverheadCmd was issued; it is an overhead step, and never enters the queue";
  if (auto problem = find_slice_error(slice)) return problem;
  if (auto problem = find_unknown("a pending input", request.pending_inputs)) return problem;
  if (slice.completion == kNoCompletion) return "completion 0 names none; give the issue one of its own";
  if (!issued_.insert(slice.completion).second)
    return fmt::format("completion {} was issued before; give every issue one of its own", slice.completion);
  previous_ = slice;
  return std::nullopt;
}

std::optional<std::string> RecordingChecker::find_slice_error(const CommandSlice& slice) const {
  const auto* composite = std::get_if<CompositeCmd>(slice.command.get());
  if (auto problem = composite ? find_composite_error(slice, *composite) : find_primitive_error(slice))
    return problem;
  if (slice.segment > 0) {
    if (auto problem = find_continuation_error(slice, previous_)) return problem;
  } else {
    if (auto problem = find_end_error()) return problem;
    if (auto problem = find_command_error(*slice.command)) return problem;
  }
  if (slice.logical_bytes != bytes_of_slice(slice))
    return fmt::format("the issue says {} logical bytes, but its fields make {}", slice.logical_bytes.count(),
                       bytes_of_slice(slice).count());
  return std::nullopt;
}

std::optional<std::string> RecordingChecker::find_unknown(
    const char* what, const std::vector<CompletionId>& completions) const {
  for (const CompletionId completion : completions)
    if (issued_.count(completion) == 0)
      return fmt::format("{} names completion {}, which no issue before it has", what, completion);
  return std::nullopt;
}

}  // namespace petal
