// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "petal/check/rules.hpp"

namespace petal::check {
namespace {

constexpr const char* kCompletion = "completion";
constexpr const char* kChain = "segment-chain";

void check_completion_of(const CommandTimeline& command, ViolationList& violations) {
  if (command.completes.empty()) {
    violations.add(kCompletion, {command.dispatch->seq},
                   [&] { return fmt::format("command {} never completes", command.id); });
    return;
  }
  const LogRow& complete = *command.completes.front();
  if (command.completes.size() > 1)
    violations.add(kCompletion, {complete.seq, command.completes[1]->seq},
                   [&] { return fmt::format("command {} completes twice", command.id); });
  if (complete.end != command.last_stage)
    violations.add(kCompletion, {command.dispatch->seq, complete.seq}, [&] {
      return fmt::format("command {} completes at {} ps, but {} at {} ps", command.id, complete.end,
                         command.stages.empty() ? "is taken and planned" : "its last stage ends",
                         command.last_stage);
    });
}

}  // namespace

void check_completion(const PeTimeline& pe, ViolationList& violations) {
  for (const CommandTimeline& command : pe.commands) check_completion_of(command, violations);
}

void check_segment_chain(const PeTimeline& pe, ViolationList& violations) {
  const CommandTimeline* before = nullptr;
  for (const CommandTimeline& command : pe.commands) {
    const LogRow& row = *command.dispatch;
    const bool must_follow = before != nullptr && before->dispatch->segment < before->dispatch->segments;
    const bool follows = before != nullptr && row.segment == before->dispatch->segment + 1 &&
                         row.segments == before->dispatch->segments && command.id == before->id + 1;
    if ((must_follow || row.segment > 1) && !follows)
      violations.add(kChain, {row.seq}, [&] {
        return fmt::format(
            "command {} is segment {}/{}, but the one before it is {}", command.id, row.segment, row.segments,
            before == nullptr ? std::string("none")
                              : fmt::format("command {}, segment {}/{}", before->id,
                                            before->dispatch->segment, before->dispatch->segments));
      });
    else if (row.segment > 1 && command.take < before->done)
      violations.add(kChain, {before->dispatch->seq, row.seq}, [&] {
        return fmt::format("segment {} is taken at {} ps, before segment {} completes at {} ps", command.id,
                           command.take, before->id, before->done);
      });
    before = &command;
  }
  if (before != nullptr && before->dispatch->segment < before->dispatch->segments)
    violations.add(kChain, {before->dispatch->seq},
                   [&] { return fmt::format("no further segment follows command {}", before->id); });
}

}  // namespace petal::check
