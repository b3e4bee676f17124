// SPDX-License-Identifier: Apache-2.0
//
// The tracks of a PE's timeline: what PE_CPU does, why a command is held at the queue's head, what each
// engine port does. The intervals of one track do not overlap.
#pragma once

#include <cstddef>
#include <cstdint>

#include "petal/observe/event.hpp"

namespace petal {

/// In the order of CpuState (idle has no track), HeadWait and EnginePort.
enum class Track : std::uint8_t {
  dispatching,
  queue_full,
  waiting,
  overhead,
  hazard,
  window,
  segment,
  dma_read,
  dma_write,
  fetch,
  store,
  gemm,
  math,
};
inline constexpr std::size_t kTracks = 13;

/// `state` is not idle.
constexpr Track track_of(CpuState state) {
  return static_cast<Track>(state);
}
constexpr Track track_of(HeadWait reason) {
  return static_cast<Track>(static_cast<std::size_t>(Track::hazard) + static_cast<std::size_t>(reason));
}
constexpr Track track_of(EnginePort port) {
  return static_cast<Track>(static_cast<std::size_t>(Track::dma_read) + static_cast<std::size_t>(port));
}

/// "queue_full", "hazard", "dma_read": as the three enumerations spell it.
inline const char* name_of(Track track) {
  if (track < Track::hazard) return name_of(static_cast<CpuState>(track));
  const auto index = static_cast<std::size_t>(track);
  if (track < Track::dma_read)
    return name_of(static_cast<HeadWait>(index - static_cast<std::size_t>(Track::hazard)));
  return name_of(static_cast<EnginePort>(index - static_cast<std::size_t>(Track::dma_read)));
}

}  // namespace petal
