// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measured_run.hpp"

namespace petal::bench {

/// MATH-only composites of 30 ops, near the cap of 1024 bytes: 30 x 32 bytes and the header.
/// `plan_cycles_per_op` is the scheduler's knob; two in three run on tensors of their own and so may overlap.
Simulation large_composites(double plan_cycles_per_op, std::uint64_t composites);

}  // namespace petal::bench
