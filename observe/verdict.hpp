// SPDX-License-Identifier: Apache-2.0
//
// What bounds a run (SPEC 11.22, 12.7): the largest share of the critical path that ends it.
//
//     dispatch          PE_CPU paying for commands
//     memory bandwidth  DMA channels moving bytes
//     memory latency    waiting for the memory's first answer
//     compute           GEMM and MATH
//     dependency        everything else: kernel cycles, planning, TCM ports, and engine work that overlaps
//     too
//                       little to keep its engine busy
//
// An engine bounds a run only if its port is busy for at least 60 % of it: a path that merely passes through
// an idle engine would not be shorter on a faster pipeline of work, so that share counts as dependency.
#pragma once

#include <array>
#include <string>

#include "petal/observe/event.hpp"

namespace petal {

/// In the order that decides a tie.
enum class Bound : std::uint8_t { dispatch, memory_bandwidth, compute, memory_latency, dependency };
inline constexpr std::size_t kBounds = 5;

/// "dispatch-bound", "memory-bandwidth-bound", ...: the spelling of the summary.
const char* name_of(Bound bound);

/// The share of a run that a port must be busy for to bound it.
inline constexpr double kBoundingUtilisation = 0.6;

struct Verdict {
  Bound bound = Bound::dependency;
  std::array<double, kBounds>
      shares{};          ///< of the critical path, indexed by Bound; they add up to 1, or are all 0
  std::string sentence;  ///< for people: the verdict and its reason

  double share(Bound of) const { return shares[static_cast<std::size_t>(of)]; }
};

/// The verdict on a run of length `run_time`. `path` is that of the PE that finished last, `busy` how long
/// each of that PE's ports was busy.
Verdict verdict_of(const CriticalPath& path, Picoseconds run_time,
                   const std::array<Picoseconds, kEnginePorts>& busy);

}  // namespace petal
