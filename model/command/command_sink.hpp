// SPDX-License-Identifier: Apache-2.0
//
// CommandSink: what a kernel's emitted steps go into. The host compiler writes to it; PE_CPU, a recorder, or
// a test stands behind it. A kernel learns nothing from it, so the steps of a kernel do not depend on time.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "petal/command/completion_status.hpp"
#include "petal/command/pe_command.hpp"

namespace petal {

/// One queue entry's worth of a command: the whole of it, or one segment of a composite (SPEC 2.1).
struct CommandSlice {
  std::shared_ptr<const PeCommand> command;  ///< the whole command, shared by its slices
  CompletionId completion = kNoCompletion;   ///< the slice's own: the first's plus its index
  Bytes logical_bytes{0};                    ///< what this slice costs to issue and takes in the queue
  std::uint32_t first_op = 0;  ///< ops [first_op, last_op) of a composite; [0, 0) for primitives
  std::uint32_t last_op = 0;
  std::uint32_t segment = 0;  ///< 0-based
  std::uint32_t segments = 1;
  /// Not ok: the command is not to be executed. It is issued and taken in its turn, and completes with this.
  CompletionStatus refusal = CompletionStatus::ok;
};

/// An issue as the kernel asked for it.
struct IssueRequest {
  CommandSlice slice;
  /// The completions that the command's inputs were waiting for at emit time; auto-await (SPEC 4) may wait
  /// for them.
  std::vector<CompletionId> pending_inputs;
  bool is_primitive = true;
};

class CommandSink {
 public:
  virtual ~CommandSink() = default;
  /// Issues one slice, after whatever auto-await asks for.
  virtual void issue(const IssueRequest& request) = 0;
  /// `tl.wait`: blocks the CPU until all of `completions` have completed.
  virtual void wait(const std::vector<CompletionId>& completions) = 0;
  /// `tl.cycles`: the CPU spends the cycles of `command`.
  virtual void overhead(const OverheadCmd& command) = 0;
};

}  // namespace petal
