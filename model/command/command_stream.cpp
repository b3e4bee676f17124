// SPDX-License-Identifier: Apache-2.0
#include "petal/command/command_stream.hpp"

namespace petal {
namespace {

struct ReplayStep {
  CommandSink& sink;
  void operator()(const IssueRequest& request) const { sink.issue(request); }
  void operator()(const WaitStep& step) const { sink.wait(step.completions); }
  void operator()(const OverheadCmd& command) const { sink.overhead(command); }
};

}  // namespace

void RecordingSink::issue(const IssueRequest& request) {
  recording_.steps.emplace_back(request);
  if (next_) next_->issue(request);
}

void RecordingSink::wait(const std::vector<CompletionId>& completions) {
  recording_.steps.emplace_back(WaitStep{completions});
  if (next_) next_->wait(completions);
}

void RecordingSink::overhead(const OverheadCmd& command) {
  recording_.steps.emplace_back(command);
  if (next_) next_->overhead(command);
}

void replay(const PeRecording& recording, CommandSink& sink) {
  for (const RecordedStep& step : recording.steps) std::visit(ReplayStep{sink}, step);
}

}  // namespace petal
