// SPDX-License-Identifier: Apache-2.0
//
// LoweredComposite: all that issuing a composite takes, worked out from its ops once.
#pragma once

#include <memory>
#include <vector>

#include "petal/command/pe_command.hpp"
#include "petal/host/segmentation.hpp"

namespace petal {

struct LoweredComposite {
  /// What is issued next: a CompositeCmd that nobody else holds, but for its completion.
  std::shared_ptr<PeCommand> command;
  std::vector<CompositeSegment> segments;
  /// What it takes from outside: what it reads before it has written it itself. Its own intermediates, and
  /// the accumulator, are not among them. No range is listed twice, here or below.
  std::vector<ByteRange> inputs;
  std::vector<ByteRange> outputs;  ///< the outs of its ops
};

/// Throws EmitError as `segment_composite` does.
LoweredComposite lowered(CompositeCmd command, Bytes cap);

}  // namespace petal
