// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "petal/command/command_stream.hpp"

namespace petal {

/// One thing a program asks of PE_CPU. A live kernel, a replayed recording and a device's ring all arrive
/// here as the same steps, so that they are accounted for alike.
using ProgramStep = RecordedStep;

/// What runs on a PE_CPU: it writes its steps to the sink and returns. It may throw; the run then fails with
/// it.
using PeProgram = std::function<void(CommandSink&)>;

}  // namespace petal
