// SPDX-License-Identifier: Apache-2.0
//
// CommandStream: what kernels asked of their PEs, kept so that it can be asked again without them. It holds
// awaits, waits and `tl.cycles` too, so that a replay is the live run in every column of the op_log
// (SPEC 11.11).
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "petal/command/command_sink.hpp"

namespace petal {

/// `tl.wait`: the CPU blocks until all of these have completed.
struct WaitStep {
  std::vector<CompletionId> completions;
};

/// One call of a CommandSink.
using RecordedStep = std::variant<IssueRequest, WaitStep, OverheadCmd>;

/// The steps of one PE in one launch, in program order.
struct PeRecording {
  std::vector<RecordedStep> steps;
};

/// One launch: a recording for each PE of the platform, by PE index. Between launches stands a global
/// barrier.
struct LaunchRecording {
  std::vector<PeRecording> pes;
};

struct CommandStream {
  /// JSON text that the caller attaches: what a replay needs to know of the run, such as its effective
  /// configuration and the version. It is kept as a value: spaces between its tokens are not.
  std::string header_json = "{}";
  std::vector<LaunchRecording> launches;
};

/// Records each step, then passes it on.
class RecordingSink : public CommandSink {
 public:
  /// `recording` outlives the sink. `next` may be null, and is not owned.
  explicit RecordingSink(PeRecording& recording, CommandSink* next = nullptr)
      : recording_(recording), next_(next) {}

  void issue(const IssueRequest& request) override;
  void wait(const std::vector<CompletionId>& completions) override;
  void overhead(const OverheadCmd& command) override;

 private:
  PeRecording& recording_;
  CommandSink* next_;
};

/// Does to `sink` what was recorded, step by step.
void replay(const PeRecording& recording, CommandSink& sink);

}  // namespace petal
