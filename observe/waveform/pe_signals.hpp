// SPDX-License-Identifier: Apache-2.0
//
// The signals of a PE's waveform, and the numbers that stand for states. One set of numbers serves all
// signals with states, so that one translate file gives them their names.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "petal/observe/event.hpp"

namespace petal {

/// The signals that a PE has once.
enum class PeSignal : std::uint8_t {
  cpu_state,
  cpu_command,  ///< the slice in PE_CPU's hands; 0 when there is none
  cpu_bytes,    ///< its logical bytes
  queue_bytes,
  queue_entries,
  scheduler_state,
  in_flight,
  held,         ///< the slice that is held at the queue's head; 0 when there is none
  outstanding,  ///< bytes of DMA stages that have started and not ended
  interrupt,
};
inline constexpr std::size_t kPeSignals = 10;

/// The signals that each engine port has. All but the first two are of the latest stage when the port is
/// idle.
enum class PortSignal : std::uint8_t { busy, stage, command, number, tile_m, tile_n, tile_k };
inline constexpr std::size_t kPortSignals = 7;

/// Of a PE, all told: first the PeSignals, then the ports' by EnginePort.
inline constexpr std::size_t kSignals = kPeSignals + kEnginePorts * kPortSignals;
static_assert(kSignals <= 64, "a bit each");

constexpr std::size_t signal_index(PeSignal signal) {
  return static_cast<std::size_t>(signal);
}
constexpr std::size_t signal_index(EnginePort port, PortSignal signal) {
  return kPeSignals + static_cast<std::size_t>(port) * kPortSignals + static_cast<std::size_t>(signal);
}

/// The value of a signal that says nothing: `z` in the file.
inline constexpr std::uint64_t kNoValue = UINT64_MAX;

// --- Numbers of states ---

inline constexpr std::uint64_t kIdleCode = 0;

constexpr std::uint64_t code_of(CpuState state) {
  return state == CpuState::idle ? kIdleCode : 1 + static_cast<std::uint64_t>(state);
}
constexpr std::uint64_t code_of(SchedulerState state) {
  return state == SchedulerState::idle ? kIdleCode : 8 + static_cast<std::uint64_t>(state);
}
/// Of a stage of `kind` for an op with `opcode`, or for a DMA command (0).
constexpr std::uint64_t stage_code(StageKind kind, std::uint8_t opcode) {
  return 64 + 64 * static_cast<std::uint64_t>(kind) + opcode;
}
inline constexpr std::uint32_t kCodeBits = 9;

/// Every number with its name ("dispatching", "hazard", "MATH exp_diff") and the colour that viewers are
/// told.
struct CodeName {
  std::uint64_t code;
  std::string name;
  const char* colour;  ///< a name of X11's
};
std::vector<CodeName> code_names();

// --- What is declared ---

/// A PE as a waveform shows it.
struct WaveformPe {
  std::string name;  ///< as configured; files get a legal one made of it
  std::array<bool, kEnginePorts> has_port{true, true, true, true, true, true};  ///< by EnginePort
  bool has_interrupt = false;
};

/// One signal and where it stands.
struct SignalPlace {
  std::size_t index;  ///< among kSignals
  const char* scope;  ///< the modules between the PE and the signal, `.` between; may be empty
  const char* name;
  std::uint32_t bits;
};

/// The signals that `pe` has, those of a scope together.
std::vector<SignalPlace> signals_of(const WaveformPe& pe);

}  // namespace petal
