// SPDX-License-Identifier: Apache-2.0
#include "petal/observe/event.hpp"

namespace petal {
namespace {

template <typename Enum, std::size_t N>
const char* pick(const char* const (&names)[N], Enum value) {
  return names[static_cast<std::size_t>(value)];
}

}  // namespace

const char* name_of(CpuState state) {
  constexpr const char* kNames[] = {"dispatching", "queue_full", "waiting", "overhead", "idle"};
  return pick(kNames, state);
}

const char* name_of(StageKind kind) {
  constexpr const char* kNames[] = {"DMA_READ", "FETCH", "GEMM", "MATH", "STORE", "DMA_WRITE"};
  return pick(kNames, kind);
}

const char* name_of(EnginePort port) {
  constexpr const char* kNames[] = {"dma_read", "dma_write", "fetch", "store", "gemm", "math"};
  return pick(kNames, port);
}

const char* name_of(PathCause cause) {
  constexpr const char* kNames[] = {"dispatch",    "overhead", "plan", "dma_busy", "dma_latency",
                                    "fetch_store", "gemm",     "math", "host",     "staging_slot"};
  return pick(kNames, cause);
}

const char* name_of(HeadWait reason) {
  constexpr const char* kNames[] = {"hazard", "window", "segment"};
  return pick(kNames, reason);
}

const char* name_of(SchedulerState state) {
  constexpr const char* kNames[] = {"idle", "running", "planning", "hazard", "window", "segment"};
  return pick(kNames, state);
}

SchedulerState state_for(HeadWait reason) {
  constexpr SchedulerState kStates[] = {SchedulerState::hazard, SchedulerState::window,
                                        SchedulerState::segment};
  return kStates[static_cast<std::size_t>(reason)];
}

}  // namespace petal
