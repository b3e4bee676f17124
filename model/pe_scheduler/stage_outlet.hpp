// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "petal/engines/stage.hpp"

namespace petal {

/// Where a command in flight sends the stages that have become ready.
class StageOutlet {
 public:
  virtual ~StageOutlet() = default;
  /// A blank stage to fill in, where it will stay: stages are made some ten million times a second.
  virtual Stage& prepare() = 0;
  /// The stage that was prepared last is ready. `path` leads to the present instant.
  virtual void submit(const CriticalPath& path) = 0;
};

/// What the parts of a command in flight share.
struct RunContext {
  CompletionId command = kNoCompletion;
  std::uint32_t run = 0;  ///< index among the commands in flight
};

/// An op and its index within its command.
struct PlacedOp {
  PlacedOp() = default;
  PlacedOp(const OpSpec* placed, std::uint32_t place) : op(placed), index(place) {}

  const OpSpec* op = nullptr;
  std::uint32_t index = 0;
};

}  // namespace petal
