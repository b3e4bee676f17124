// SPDX-License-Identifier: Apache-2.0
//
// Recordings to save, load and damage.
#pragma once

#include "petal/command/command_stream.hpp"

namespace petal::test {

/// Issues `commands` one after the other, with completions from `first` on; overheads become overhead steps.
PeRecording recording_of(const std::vector<PeCommand>& commands, CompletionId first);

/// opt2's second composite in three slices: header alone, the merge, the GEMM with its add. Completions 1
/// to 3.
PeRecording sliced_recording();

/// One of each kind, a wait for one of them and an issue that waits for another.
PeRecording sample_recording();

/// Two launches on two PEs.
CommandStream sample_stream();

}  // namespace petal::test
