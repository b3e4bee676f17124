// SPDX-License-Identifier: Apache-2.0
//
// What-if bounds: how long the same commands take at least if one thing cost nothing. No engine, no CPU and
// no memory can do the work it has in less time than that work takes; the slowest of those that are left is
// the bound. A run with that setting takes as long or longer: what waits for what is not looked at.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "petal/command/units.hpp"

namespace petal {

/// The memory behind the PEs.
struct MemoryFacts {
  double gb_per_s = 0;  ///< of one PE's memory, or of the shared one, as far as it is reached; 0: unlimited
  std::uint32_t channels = 1;
  bool is_shared = false;  ///< by all PEs
};

/// The work of one PE: how long each of its parts needs for it.
struct PeWork {
  Picoseconds dispatching{0};
  Picoseconds kernel_cycles{0};
  Picoseconds fetch{0};
  Picoseconds store{0};
  Picoseconds gemm{0};
  Picoseconds math{0};
  Bytes memory_bytes{0};  ///< moved by DMA, in both directions
  std::uint64_t dma_stages = 0;
};

/// What is free.
enum class Free : std::uint8_t { dispatch, memory_bandwidth, gemm };
/// "no dispatch cost": for people.
const char* label_of(Free free);
/// "zero_dispatch": the spelling of JSON.
const char* name_of(Free free);

struct WhatIf {
  Free free;
  Picoseconds at_least{0};  ///< the time of a run in which it is
};

/// One bound for each of Free, in its order. Without `memory` no bound comes from the memory.
std::vector<WhatIf> what_if_bounds(const std::vector<PeWork>& pes, const std::optional<MemoryFacts>& memory);

}  // namespace petal
