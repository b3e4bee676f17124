// SPDX-License-Identifier: Apache-2.0
//
// MeasuredRun: one simulation in a process of its own, because a process can elaborate SystemC once. The
// child builds, runs and times it, and hands the figures back through a pipe.
#pragma once

#include <cstdint>
#include <functional>

namespace petal::bench {

struct Measurement {
  double seconds = 0;            ///< of the simulation alone, without elaboration
  std::uint64_t events = 0;      ///< stages, or kernel events of the raw limit
  std::uint64_t peak_bytes = 0;  ///< resident memory of the child at its highest
};

/// What the child does: builds a simulation, and returns how to run it and how many events that is.
struct Simulation {
  std::function<void()> run;
  std::function<std::uint64_t()> events;
};
using Builder = std::function<Simulation()>;

/// Throws std::runtime_error if the child fails.
Measurement measure(const Builder& build);

}  // namespace petal::bench
