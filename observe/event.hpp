// SPDX-License-Identifier: Apache-2.0
//
// The facts that the modules of a PE report while they run. Logs, waveforms, summaries and checks are readers
// of these and of nothing else (docs/decisions/0003). All times are ledger times in picoseconds.
//
// References inside an event are valid only during the call that reports it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "petal/command/command_sink.hpp"
#include "petal/command/units.hpp"

namespace petal {

/// Index of a PE in its platform, from 0.
using PeIndex = std::uint32_t;

/// What PE_CPU is doing (SPEC 4, 11.10). Each picosecond of a run belongs to exactly one.
enum class CpuState : std::uint8_t { dispatching, queue_full, waiting, overhead, idle };
inline constexpr std::size_t kCpuStates = 5;
const char* name_of(CpuState state);

enum class StageKind : std::uint8_t { dma_read, fetch, gemm, math, store, dma_write };
const char* name_of(StageKind kind);

/// The ports that execute stages, each one stage at a time.
enum class EnginePort : std::uint8_t { dma_read, dma_write, fetch, store, gemm, math };
inline constexpr std::size_t kEnginePorts = 6;
const char* name_of(EnginePort port);
/// By StageKind.
inline constexpr EnginePort kPortsOfKinds[] = {EnginePort::dma_read, EnginePort::fetch,
                                               EnginePort::gemm,     EnginePort::math,
                                               EnginePort::store,    EnginePort::dma_write};
/// The port that executes stages of `kind`.
constexpr EnginePort port_of(StageKind kind) {
  return kPortsOfKinds[static_cast<std::size_t>(kind)];
}

/// What a picosecond of the critical path was spent on.
enum class PathCause : std::uint8_t {
  dispatch,     ///< PE_CPU paying FIXED + bytes x R
  overhead,     ///< tl.cycles
  plan,         ///< PE_SCHEDULER planning a command (plan_cycles_per_op)
  dma_busy,     ///< a DMA channel moving bytes, or waiting for one that does
  dma_latency,  ///< the memory's latency
  fetch_store,  ///< TCM ports
  gemm,
  math,
  host,  ///< a device's PE_CPU without a command: software has not rung, or a descriptor is being fetched
  staging_slot,  ///< of the memory's latency, what more staging slots would have hidden (tile_buffers)
};
inline constexpr std::size_t kPathCauses = 10;
const char* name_of(PathCause cause);
/// By EnginePort.
inline constexpr PathCause kCausesOfPorts[] = {PathCause::dma_busy,    PathCause::dma_busy,
                                               PathCause::fetch_store, PathCause::fetch_store,
                                               PathCause::gemm,        PathCause::math};
/// The cause that work on, and waiting for, `port` is charged to.
constexpr PathCause cause_of(EnginePort port) {
  return kCausesOfPorts[static_cast<std::size_t>(port)];
}

/// The critical path that leads to an instant: for each cause, the time spent on it. The entries add up to
/// the instant exactly, because every event hands its own path to what it releases (docs/timing-model.md).
class CriticalPath {
 public:
  void add(PathCause cause, Picoseconds time) { spent_[static_cast<std::size_t>(cause)] += time; }
  /// Counts up to `time` of what was spent on `from` as spent on `to`.
  void relabel(PathCause from, PathCause to, Picoseconds time) {
    const Picoseconds moved = std::min(time, spent(from));
    spent_[static_cast<std::size_t>(from)] -= moved;
    add(to, moved);
  }
  Picoseconds spent(PathCause cause) const { return spent_[static_cast<std::size_t>(cause)]; }
  Picoseconds total() const {
    Picoseconds sum{0};
    for (const Picoseconds part : spent_) sum += part;
    return sum;
  }

 private:
  std::array<Picoseconds, kPathCauses> spent_{};
};

/// PE_CPU paid for one slice (or spent an OverheadCmd's cycles).
struct DispatchEvent {
  PeIndex pe = 0;
  const CommandSlice& slice;
  Cycles cycles;  ///< FIXED + logical_bytes x R; n for an OverheadCmd
  Picoseconds start;
  Picoseconds end;
};

/// PE_CPU stood before a full queue with a paid-for slice in hand.
struct QueueWaitEvent {
  PeIndex pe = 0;
  const CommandSlice& slice;
  Picoseconds start;
  Picoseconds end;
};

/// Why the command at the queue's head was not taken at once.
enum class HeadWait : std::uint8_t { hazard, window, segment };
const char* name_of(HeadWait reason);

/// A slice stood at the queue's head.
struct HazardWaitEvent {
  PeIndex pe = 0;
  const CommandSlice& slice;
  HeadWait reason;                            ///< what held it first
  const std::vector<CompletionId>& waits_on;  ///< the slices it waited for
  Picoseconds start;
  Picoseconds end;
};

/// PE_SCHEDULER took a slice off the queue: it is in flight from now on. A HazardWaitEvent of it comes before, if it
/// was held.
struct TakeEvent {
  PeIndex pe = 0;
  const CommandSlice& slice;
  Picoseconds pushed;  ///< when PE_CPU had put it into the queue
  Picoseconds at;
  const CriticalPath& path;  ///< path.total() == at
};

/// What PE_SCHEDULER is doing. While it plans a command it does not look at the next one.
enum class SchedulerState : std::uint8_t {
  idle,      ///< nothing in flight
  running,   ///< commands are in flight, none stands at the queue's head
  planning,  ///< it plans a command (plan_cycles_per_op)
  hazard,    ///< the command at the queue's head is held, as HeadWait says
  window,
  segment,
};
inline constexpr std::size_t kSchedulerStates = 6;
const char* name_of(SchedulerState state);
/// The state of a scheduler whose queue's head is held for `reason`.
SchedulerState state_for(HeadWait reason);

/// The scheduler's state at the end of an instant, reported when something of it has changed.
struct SchedulerStateEvent {
  PeIndex pe = 0;
  SchedulerState state = SchedulerState::idle;
  std::uint32_t in_flight = 0;        ///< slices taken and not completed
  CompletionId held = kNoCompletion;  ///< the slice that is held at the queue's head
  Picoseconds at;
};

/// Which output tile and K step a stage belongs to: tile indices, not elements.
struct TileIndex {
  std::uint64_t m = 0;
  std::uint64_t n = 0;
  std::uint64_t k = 0;
};

/// One stage on one engine port. Reported when it starts, with the end already known; or when it has ended,
/// if somebody else decides that (a foreign memory): then its beginning was told by on_stage_begin and its
/// port's release by on_port_free.
struct StageEvent {
  PeIndex pe = 0;
  CompletionId command = kNoCompletion;
  std::uint32_t segment = 0;
  std::uint32_t segments = 1;
  std::uint64_t stage = 0;  ///< the stage's number within its slice, in plan order
  StageKind kind = StageKind::fetch;
  std::string_view op;         ///< "gemm", "rmax", "dma_read", ...
  std::uint8_t opcode = 0;     ///< of `op`, on the wire; 0 for a DMA command
  bool in_phases = false;      ///< on_stage_begin came before
  std::uint32_t op_index = 0;  ///< of the op within the composite; 0 for primitives
  bool has_tile = false;
  TileIndex tile;
  std::uint64_t bytes = 0;     ///< moved; 0 for GEMM and MATH stages
  std::uint64_t elements = 0;  ///< of a MATH stage's work
  std::uint64_t macs = 0;      ///< of a GEMM stage, without padding
  std::array<ByteRange, 3> reads{};
  std::uint32_t read_count = 0;
  std::array<ByteRange, 1> writes{};
  std::uint32_t write_count = 0;
  Picoseconds start;
  Picoseconds busy_end;  ///< when the port is free again; before `end` only for DMA
  Picoseconds end;
};

/// A stage whose end on_stage announced is over now. Not reported of stages in phases, whose on_stage comes
/// then.
struct StageEndEvent {
  PeIndex pe = 0;
  StageKind kind = StageKind::fetch;
  CompletionId command = kNoCompletion;
  std::uint64_t stage = 0;
  std::uint64_t bytes = 0;  ///< moved
  Picoseconds at;
};

/// The port of a stage in phases is free again; the stage goes on for the memory's latency.
struct PortFreeEvent {
  PeIndex pe = 0;
  EnginePort port = EnginePort::dma_read;
  CompletionId command = kNoCompletion;
  std::uint64_t stage = 0;
  Picoseconds at;  ///< may be before the latest event's, by less than the host's time resolution
};

/// A slice's last stage has completed.
struct CompleteEvent {
  PeIndex pe = 0;
  const CommandSlice& slice;
  Picoseconds taken;  ///< when PE_SCHEDULER took it off the queue (its TakeEvent)
  Picoseconds at;
  const CriticalPath& path;  ///< path.total() == at
  CompletionStatus status = CompletionStatus::ok;
};

struct CpuStateEvent {
  PeIndex pe = 0;
  CpuState state;
  Picoseconds at;
};

/// The queue's fill changed.
struct QueueLevelEvent {
  PeIndex pe = 0;
  std::uint64_t bytes = 0;
  std::uint32_t entries = 0;
  Picoseconds at;
};

/// The PE's kernel has returned and everything it issued has completed.
struct FinishEvent {
  PeIndex pe = 0;
  Picoseconds at;
  const CriticalPath& path;
};

/// A device's interrupt line changed its level.
struct InterruptEvent {
  PeIndex pe = 0;
  bool level = false;
  Picoseconds at;
};

/// The PE forgot everything under way: stages that were to end later do not.
struct ResetEvent {
  PeIndex pe = 0;
  Picoseconds at;
};

}  // namespace petal
