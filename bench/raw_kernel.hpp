// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measured_run.hpp"

namespace petal::bench {

/// The limit that SystemC's kernel sets: for each PE three bare SC_METHODs that do nothing but wait, each for
/// a time of its own, until `events` activations have happened over all of them.
Simulation raw_kernel(std::uint64_t pes, std::uint64_t events);

}  // namespace petal::bench
