// SPDX-License-Identifier: Apache-2.0
//
// Attribution: to what each picosecond of a run belongs, as seen from the command that ended it.
//
// It follows that command backward: what its stages did; before, why it stood at the queue's head; before,
// why those ahead of it stood there, or what PE_CPU did until it had pushed the command. Unlike the critical
// path, which goes on to the work that a wait waited for, a wait counts as a wait: a run that is full of
// hazards shows hazards. The parts add up to the run's time exactly.
#pragma once

#include <array>
#include <cstdint>

#include "petal/observe/event.hpp"

namespace petal {

enum class TimeCause : std::uint8_t {
  dispatch,       ///< PE_CPU paying FIXED + bytes x R
  kernel_cycles,  ///< tl.cycles
  kernel_wait,    ///< PE_CPU waiting for data: tl.wait, auto-await
  host,           ///< a device's PE_CPU without a command
  queue_full,     ///< PE_CPU before a full queue
  hazard,         ///< the command, or one ahead of it, at the queue's head behind a conflict
  window,         ///< the same, with max_in_flight commands in flight
  segment,        ///< the same, behind the segment before
  plan,           ///< PE_SCHEDULER planning (plan_cycles_per_op)
  staging_slot,   ///< latency that more staging slots would have hidden
  dma,            ///< DMA channels moving bytes, or waiting for one that does
  dma_latency,    ///< the memory's latency
  fetch_store,    ///< TCM ports
  gemm,
  math,
};
inline constexpr std::size_t kTimeCauses = 15;
/// "kernel_wait": the spelling of JSON.
const char* name_of(TimeCause cause);
/// "waiting for data": for people.
const char* label_of(TimeCause cause);

class Attribution {
 public:
  void add(TimeCause cause, Picoseconds time) { spent_[static_cast<std::size_t>(cause)] += time; }
  /// What a command's stages add to it: `after` minus `before`, of one path at two times.
  void add(const CriticalPath& after, const CriticalPath& before);
  Picoseconds spent(TimeCause cause) const { return spent_[static_cast<std::size_t>(cause)]; }
  Picoseconds total() const;

 private:
  std::array<Picoseconds, kTimeCauses> spent_{};
};

}  // namespace petal
