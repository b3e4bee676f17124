// SPDX-License-Identifier: Apache-2.0
#include "petal/observe/attribution.hpp"

#include <numeric>

namespace petal {
namespace {

/// By PathCause.
constexpr TimeCause kCausesOfPath[] = {
    TimeCause::dispatch,    TimeCause::kernel_cycles, TimeCause::plan, TimeCause::dma,
    TimeCause::dma_latency, TimeCause::fetch_store,   TimeCause::gemm, TimeCause::math,
    TimeCause::host,        TimeCause::staging_slot};
static_assert(std::size(kCausesOfPath) == kPathCauses);

}  // namespace

const char* name_of(TimeCause cause) {
  constexpr const char* kNames[] = {"dispatch", "kernel_cycles", "kernel_wait", "host", "queue_full",
                                    "hazard",   "window",        "segment",     "plan", "staging_slot",
                                    "dma",      "dma_latency",   "fetch_store", "gemm", "math"};
  static_assert(std::size(kNames) == kTimeCauses);
  return kNames[static_cast<std::size_t>(cause)];
}

const char* label_of(TimeCause cause) {
  constexpr const char* kLabels[] = {"dispatch",        "kernel cycles", "kernel waits", "host",
                                     "queue full",      "hazard",        "window full",  "segment order",
                                     "planning",        "staging slot",  "DMA",          "memory latency",
                                     "FETCH and STORE", "GEMM",          "MATH"};
  static_assert(std::size(kLabels) == kTimeCauses);
  return kLabels[static_cast<std::size_t>(cause)];
}

void Attribution::add(const CriticalPath& after, const CriticalPath& before) {
  for (std::size_t index = 0; index < kPathCauses; ++index) {
    const auto cause = static_cast<PathCause>(index);
    add(kCausesOfPath[index], after.spent(cause) - before.spent(cause));
  }
}

Picoseconds Attribution::total() const {
  return std::accumulate(spent_.begin(), spent_.end(), Picoseconds(0));
}

}  // namespace petal
