// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "petal/command/gemm_tile.hpp"

namespace petal {

/// YAML: platform.pe.attrs.pe_scheduler.
struct PeSchedulerConfig {
  GemmTile gemm_tile;
  std::uint32_t max_in_flight = 8;  ///< commands taken and not completed
  std::uint32_t tile_buffers = 4;   ///< staging slots, and out slots, of one composite
  double plan_cycles_per_op =
      0.0;  ///< cycles between taking a command and its first stage, for each of its ops
  bool math_head_streaming = false;  ///< a MATH-only composite may stream HBM operands in chunks
};

}  // namespace petal
