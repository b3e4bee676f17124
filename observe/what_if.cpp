// SPDX-License-Identifier: Apache-2.0
#include "petal/observe/what_if.hpp"

#include <algorithm>
#include <cstdint>

namespace petal {
namespace {

/// The bytes at the full rate. Each stage's part on each channel may have been rounded down by half a
/// picosecond.
Picoseconds least_memory_time(Bytes bytes, std::uint64_t stages, const MemoryFacts& memory) {
  if (memory.gb_per_s == 0) return Picoseconds(0);
  const auto rounding = static_cast<double>(stages * memory.channels) * 0.5;
  const double time = static_cast<double>(bytes.count()) * 1000.0 / memory.gb_per_s - rounding;
  return Picoseconds(static_cast<std::int64_t>(std::max(time, 0.0)));
}

Picoseconds least_time(const PeWork& pe, Free free) {
  const Picoseconds cpu = pe.kernel_cycles + (free == Free::dispatch ? Picoseconds(0) : pe.dispatching);
  const Picoseconds gemm = free == Free::gemm ? Picoseconds(0) : pe.gemm;
  return std::max({cpu, gemm, pe.fetch, pe.store, pe.math});
}

Picoseconds least_memory_time(const std::vector<PeWork>& pes, const MemoryFacts& memory) {
  Picoseconds slowest{0};
  Bytes bytes{0};
  std::uint64_t stages = 0;
  for (const PeWork& pe : pes) {
    slowest = std::max(slowest, least_memory_time(pe.memory_bytes, pe.dma_stages, memory));
    bytes += pe.memory_bytes;
    stages += pe.dma_stages;
  }
  return memory.is_shared ? least_memory_time(bytes, stages, memory) : slowest;
}

}  // namespace

const char* label_of(Free free) {
  constexpr const char* kLabels[] = {"no dispatch cost", "unlimited memory bandwidth", "unlimited GEMM rate"};
  return kLabels[static_cast<std::size_t>(free)];
}

const char* name_of(Free free) {
  constexpr const char* kNames[] = {"zero_dispatch", "unlimited_bandwidth", "unlimited_gemm"};
  return kNames[static_cast<std::size_t>(free)];
}

std::vector<WhatIf> what_if_bounds(const std::vector<PeWork>& pes, const std::optional<MemoryFacts>& memory) {
  std::vector<WhatIf> bounds;
  for (const Free free : {Free::dispatch, Free::memory_bandwidth, Free::gemm}) {
    Picoseconds bound{0};
    for (const PeWork& pe : pes) bound = std::max(bound, least_time(pe, free));
    if (memory && free != Free::memory_bandwidth) bound = std::max(bound, least_memory_time(pes, *memory));
    bounds.push_back({free, bound});
  }
  return bounds;
}

}  // namespace petal
