// SPDX-License-Identifier: Apache-2.0
//
// ProgramStep: one thing a program asks of PE_CPU. A live kernel, a replayed recording and a device's ring all arrive
// here as the same steps, so that they are accounted for alike.
#pragma once

#include <deque>
#include <functional>
#include <variant>
#include <vector>

#include "petal/command/command_sink.hpp"

namespace petal {

struct WaitStep {
  std::vector<CompletionId> completions;
};

using ProgramStep = std::variant<IssueRequest, WaitStep, OverheadCmd>;

/// What runs on a PE_CPU: it writes its steps to the sink and returns. It may throw; the run then fails with it.
using PeProgram = std::function<void(CommandSink&)>;

}  // namespace petal
