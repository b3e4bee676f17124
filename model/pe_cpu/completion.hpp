// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "petal/command/completion_status.hpp"
#include "petal/command/tensor_handle.hpp"

namespace petal {

/// How a slice ended.
struct Completion {
  CompletionId id = kNoCompletion;
  CompletionStatus status = CompletionStatus::ok;
  std::uint64_t fault_address = 0;  ///< of a transfer_error, in bytes
};

}  // namespace petal
