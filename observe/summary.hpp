// SPDX-License-Identifier: Apache-2.0
//
// Summary: what a run came to, as plain numbers. SummaryCollector makes one; summary_json, summary_text and
// comparison print it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "petal/observe/attribution.hpp"
#include "petal/observe/event.hpp"
#include "petal/observe/verdict.hpp"
#include "petal/observe/what_if.hpp"

namespace petal {

/// What PE_CPU paid. A composite that was cut counts once a slice, because each slice pays FIXED;
/// OverheadCmds count nowhere (SPEC 11.10). So cycles == commands * FIXED + logical_bytes * R on one PE.
struct DispatchTotals {
  std::uint64_t commands = 0;
  Bytes logical_bytes{0};
  Cycles cycles{0};
};

struct EngineTotals {
  Picoseconds busy{0};  ///< sum of [start, busy_end) of its stages
  std::uint64_t stages = 0;
};

/// The counters that add up over PEs.
struct Totals {
  DispatchTotals dispatch;
  std::array<Picoseconds, kCpuStates> cpu{};       ///< indexed by CpuState
  std::array<EngineTotals, kEnginePorts> engines;  ///< indexed by EnginePort
  Bytes dma_read{0};
  Bytes dma_write{0};
  std::uint64_t macs = 0;
  std::array<Picoseconds, 3> head_wait{};  ///< time commands stood at the queue's head; indexed by HeadWait
  std::uint64_t staging_bytes = 0;         ///< TCM that the scheduler reserves outside the kernel's arena

  Picoseconds cpu_time(CpuState state) const { return cpu[static_cast<std::size_t>(state)]; }
  const EngineTotals& engine(EnginePort port) const { return engines[static_cast<std::size_t>(port)]; }
  Picoseconds hazard_wait() const { return head_wait[0] + head_wait[1] + head_wait[2]; }
  /// Adds `other`, counter by counter.
  Totals& operator+=(const Totals& other);
};

struct PeSummary {
  std::string name;
  Picoseconds time{0};                  ///< the run's: the CPU's states add up to it exactly
  std::optional<Picoseconds> finished;  ///< when its kernel was over; nothing if it never was
  Totals totals;
  std::uint64_t peak_queue_bytes = 0;
  std::uint32_t peak_queue_entries = 0;
};

/// Dispatch for one tile of keys; numbers may be fractions when they are a mean.
struct PerTile {
  double commands = 0;
  double logical_bytes = 0;
  double cycles = 0;
};

/// How far a computed tensor is from its reference (data mode).
struct TensorError {
  std::string tensor;
  std::uint64_t elements = 0;
  double max_absolute = 0;          ///< infinite where one of the two is NaN or infinite alone
  double max_relative = 0;          ///< max_absolute over the largest finite magnitude of the reference
  double tolerance = 0;             ///< of max_relative
  std::uint64_t worst_element = 0;  ///< row-major index of the one with max_absolute

  bool within_tolerance() const { return max_relative <= tolerance; }
};

/// What a run's caller knows and no event tells.
struct RunFacts {
  std::string kernel;
  std::uint64_t tiles = 0;              ///< KV tiles over all PEs; 0 for a kernel that has none
  std::optional<PerTile> steady_state;  ///< of a tile in the middle, if the caller worked it out
  Picoseconds end{0};                   ///< of the run
  std::string config_json = "{}";       ///< every value used
  std::string version;
  std::vector<std::uint64_t> staging_bytes;  ///< a PE each; may be empty
  std::optional<MemoryFacts> memory;         ///< nothing: a memory of somebody else's
};

struct Summary {
  std::string kernel;
  std::string version;
  std::string config_json;
  Picoseconds time{0};
  std::uint64_t tiles = 0;
  std::vector<PeSummary> pes;
  Totals total;
  std::optional<PerTile> steady_state;
  std::optional<std::size_t> critical_pe;  ///< the PE that finished last, the first of equals
  CriticalPath critical_path;              ///< of that PE
  Attribution attribution;                 ///< of the run's time, as far as the last PE's program
  std::vector<WhatIf> what_if;             ///< lower bounds for the same work with one thing made free
  std::vector<TensorError> data;           ///< of each result; empty without data mode
  Verdict verdict;

  /// total / tiles; nothing if there are no tiles.
  std::optional<PerTile> mean_per_tile() const;
  /// The steady state where the caller gave it (SPEC 11.25), else the mean.
  std::optional<PerTile> per_tile() const { return steady_state ? steady_state : mean_per_tile(); }
  /// `busy` of all PEs together as a share of the run, 0 to 1.
  double utilisation(Picoseconds busy) const;
};

/// Said by every summary (SPEC 11.23).
inline constexpr const char* kProvisionalNote =
    "Absolute latencies are provisional until a hardware reference calibrates them; ratios between kernels "
    "are what "
    "the model defends.";

}  // namespace petal
