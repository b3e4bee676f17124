// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include "petal/observe/event.hpp"

namespace petal {

/// By which PE_SCHEDULER tells PE_CPU that a slice has completed.
class CompletionIf : public virtual sc_core::sc_interface {
 public:
  /// `path` leads to the present instant.
  virtual void completed(CompletionId completion, const CriticalPath& path) = 0;
};

}  // namespace petal
