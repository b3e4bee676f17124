// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace petal {

/// The hardware tile of a GEMM, in elements (YAML: pe_scheduler.gemm_tile). The scheduler cuts the work by
/// it; the host compiler aligns rows to it.
struct GemmTile {
  std::uint64_t m = 32;
  std::uint64_t k = 64;
  std::uint64_t n = 32;
};

}  // namespace petal
