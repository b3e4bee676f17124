// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include "petal/observe/event.hpp"
#include "petal/pe_cpu/completion.hpp"

namespace petal {

/// By which PE_SCHEDULER tells PE_CPU that a slice has completed.
class CompletionIf : public virtual sc_core::sc_interface {
 public:
  /// `path` leads to the present instant.
  virtual void completed(const Completion& completion, const CriticalPath& path) = 0;
};

}  // namespace petal
