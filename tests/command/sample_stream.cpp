// SPDX-License-Identifier: Apache-2.0
#include "sample_stream.hpp"

#include "sample_commands.hpp"

namespace petal::test {
namespace {

IssueRequest whole(const PeCommand& command) {
  IssueRequest request;
  request.slice.command = std::make_shared<const PeCommand>(command);
  request.slice.completion = framing_of(command).completion;
  request.slice.logical_bytes = logical_bytes(command);
  if (const auto* composite = std::get_if<CompositeCmd>(&command)) {
    request.slice.last_op = static_cast<std::uint32_t>(composite->ops.size());
    request.is_primitive = false;
  }
  return request;
}

}  // namespace

PeRecording recording_of(const std::vector<PeCommand>& commands, CompletionId first) {
  PeRecording recording;
  for (PeCommand command : commands) {
    framing_of(command).completion = first++;
    if (const auto* overhead = std::get_if<OverheadCmd>(&command))
      recording.steps.emplace_back(*overhead);
    else
      recording.steps.emplace_back(whole(command));
  }
  return recording;
}

PeRecording sliced_recording() {
  const std::uint32_t ends[] = {0, 8, 10};
  const std::uint64_t bytes[] = {30, 224, 68};  // header; the merge; 40 + 28
  PeCommand command = merge_values_composite();
  framing_of(command).completion = 1;
  PeRecording recording;
  IssueRequest request = whole(command);
  request.slice.segments = 3;
  request.slice.last_op = 0;
  for (std::uint32_t segment = 0; segment < 3; ++segment) {
    request.slice.segment = segment;
    request.slice.first_op = request.slice.last_op;
    request.slice.last_op = ends[segment];
    request.slice.completion = 1 + segment;
    request.slice.logical_bytes = Bytes(bytes[segment]);
    recording.steps.emplace_back(request);
  }
  return recording;
}

PeRecording sample_recording() {
  PeRecording recording = recording_of(one_of_each_kind(), 1);
  recording.steps.emplace_back(WaitStep{{1, 3}});
  PeCommand last = merge_commands().back();
  framing_of(last).completion = 10;
  IssueRequest request = whole(last);
  request.pending_inputs = {5, 2};
  recording.steps.emplace_back(request);
  return recording;
}

CommandStream sample_stream() {
  CommandStream stream;
  stream.header_json = R"({"tile": 64, "kernel": "gqa_decode_opt2"})";
  stream.launches = {{{sample_recording(), PeRecording{}}}, {{sliced_recording(), sample_recording()}}};
  return stream;
}

}  // namespace petal::test
