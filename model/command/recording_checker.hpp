// SPDX-License-Identifier: Apache-2.0
//
// RecordingChecker: whether a PE could have been asked these steps. A recording that passes cannot wait for a
// command that was never issued, nor lose a part of a composite.
#pragma once

#include <optional>
#include <string>
#include <unordered_set>

#include "petal/command/command_stream.hpp"

namespace petal {

/// Takes the steps of one PeRecording in order.
class RecordingChecker {
 public:
  /// The first rule that `step`, after the steps before it, breaks, as one line, or nothing:
  ///  - a command obeys find_command_error and is no OverheadCmd;
  ///  - a composite's slices follow each other without a gap, from its first op to its last, with consecutive
  ///    completions (SPEC 2.1, 11.2), never cut a GEMM from its tile ops, and each has the logical bytes of
  ///    its ops (the first the header's too);
  ///  - a primitive is one slice;
  ///  - completions are not 0 and never used twice; waits and pending inputs name completions issued before.
  std::optional<std::string> find_error(const RecordedStep& step);

  /// What is missing once all steps have been given: slices of the last composite; or nothing.
  std::optional<std::string> find_end_error() const;

 private:
  std::optional<std::string> find_issue_error(const IssueRequest& request);
  std::optional<std::string> find_slice_error(const CommandSlice& slice) const;
  std::optional<std::string> find_unknown(const char* what,
                                          const std::vector<CompletionId>& completions) const;

  CommandSlice previous_;  ///< no command before the first issue
  std::unordered_set<CompletionId> issued_;
};

/// What `slice` costs by its command's fields (SPEC 2.1). Precondition: its ops are ops of its command.
Bytes bytes_of_slice(const CommandSlice& slice);

}  // namespace petal
