// SPDX-License-Identifier: Apache-2.0
#include "petal/pe_cpu/completion_tracker.hpp"

namespace petal {

void CompletionTracker::completed(CompletionId completion) {
  if (completion == all_complete_to_ + 1)
    ++all_complete_to_;
  else
    ahead_.insert(completion);
  while (!ahead_.empty() && *ahead_.begin() == all_complete_to_ + 1) {
    ++all_complete_to_;
    ahead_.erase(ahead_.begin());
  }
}

}  // namespace petal
