// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>

#include "petal/command/tensor_handle.hpp"

namespace petal {

/// Which of the consecutively numbered completions have happened. Memory grows only with those that are ahead
/// of the oldest outstanding one.
class CompletionTracker {
 public:
  void issued(CompletionId completion) { last_issued_ = completion; }
  void completed(CompletionId completion);
  bool is_complete(CompletionId completion) const {
    return completion <= all_complete_to_ || ahead_.count(completion) != 0;
  }
  CompletionId last_issued() const { return last_issued_; }
  /// The oldest that has not completed. Precondition: not all_complete().
  CompletionId first_outstanding() const { return all_complete_to_ + 1; }
  /// Nothing is outstanding, and the next one issued is the one after `latest`.
  void restart_after(CompletionId latest) {
    last_issued_ = all_complete_to_ = latest;
    ahead_.clear();
  }
  bool all_complete() const { return all_complete_to_ == last_issued_; }

 private:
  CompletionId last_issued_ = 0;
  CompletionId all_complete_to_ = 0;
  std::set<CompletionId> ahead_;
};

}  // namespace petal
