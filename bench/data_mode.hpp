// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "measured_run.hpp"
#include "petal/command/dtype.hpp"

namespace petal::bench {

/// A scenario of one PE in data mode, or in timing mode for comparison, with generated inputs and no reader.
/// `events` is 1: the whole run is what is measured.
Simulation whole_scenario(const std::string& yaml, bool data);

/// The same product by Eigen alone: C[n, n] = A B in f32, from operands stored as `dtype` (f32 or f16).
Simulation eigen_gemm(std::uint64_t n, DType dtype);

}  // namespace petal::bench
