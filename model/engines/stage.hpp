// SPDX-License-Identifier: Apache-2.0
//
// Stage: one unit of work on one engine port, as PE_SCHEDULER hands it out. Engines look at what a stage asks
// for, never at which composite or recipe it came from.
#pragma once

#include <cstdint>

#include "petal/command/op_spec.hpp"
#include "petal/memory/access_pattern.hpp"
#include "petal/observe/event.hpp"

namespace petal {

/// What every stage says of itself.
struct StageWork {
  StageKind kind = StageKind::fetch;
  std::uint8_t operand = 0;  ///< of its op, for DMA_READ and FETCH
  bool has_tile = false;
  bool waited_for_slot = false;  ///< DMA_READ: a staging slot had to become free first
  DType dtype = DType::f32;      ///< GEMM: the wider operand's, which sets the rate
  Opcode opcode = Opcode::copy;  ///< of the op the stage belongs to; unused by DMA primitives
  std::uint32_t op_index = 0;    ///< within the command
  std::uint32_t run = 0;         ///< the scheduler's index of the command in flight
  CompletionId command = kNoCompletion;
  std::uint64_t number = 0;    ///< position in the command's plan; ties between ready stages go by it
  std::uint64_t bytes = 0;     ///< moved by DMA_READ, FETCH, STORE, DMA_WRITE
  std::uint64_t elements = 0;  ///< of a MATH stage's work
};

struct Stage : StageWork {
  // With has_tile:
  std::uint64_t step = 0;  ///< of the tile loop
  TileIndex tile;
  std::uint32_t slot = 0;  ///< of the staging, for a step whose operands are streamed
  // GEMM:
  GemmShape extent;  ///< true sizes of the step's tile in elements
  // DMA_READ, DMA_WRITE:
  AccessPattern access;  ///< where in HBM

  /// Blank again, but for what only some stages have and others do not look at: it is most of the size.
  void reset() { static_cast<StageWork&>(*this) = StageWork{}; }
};

/// When a stage that starts at `start` frees its port and when it is over.
struct StageTiming {
  Picoseconds busy_end{0};
  Picoseconds end{0};
};

}  // namespace petal
