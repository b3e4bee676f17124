// SPDX-License-Identifier: Apache-2.0
//
// CommandEmitter: numbers commands, knows what their inputs wait for, and hands them to the sink. Nothing is
// checked here: a command that gets this far is issued.
#pragma once

#include <vector>

#include "petal/command/command_sink.hpp"
#include "petal/host/lowered_composite.hpp"
#include "petal/host/pending_tracker.hpp"

namespace petal {

class CommandEmitter {
 public:
  /// `sink` outlives the emitter. `first` is the first command's completion, `max_outstanding` as in
  /// TlOptions.
  CommandEmitter(CommandSink& sink, CompletionId first, std::uint64_t max_outstanding)
      : sink_(sink), first_(first), next_(first), pending_(max_outstanding) {}

  /// Issues one primitive command and returns its completion.
  CompletionId issue_primitive(PeCommand command);
  /// Issues a composite as its segments, each with a completion of its own, and returns the last one's: what
  /// a user of the result waits for. From then on the sink holds `composite.command`, too.
  CompletionId issue_composite(const LoweredComposite& composite);

  /// The completions that whoever needs `handle` waits for, ascending: the last writers of its bytes and its
  /// own `pending`. Those of an earlier launch are done.
  std::vector<CompletionId> completions_of(const TensorHandle& handle) const;

  CompletionId next_completion() const { return next_; }
  const PendingTracker& pending() const { return pending_; }
  CommandSink& sink() { return sink_; }

 private:
  CommandSink& sink_;
  CompletionId first_;
  CompletionId next_;
  PendingTracker pending_;
  std::vector<CompletionId> waits_;  ///< of the command at hand; kept for its memory
};

}  // namespace petal
