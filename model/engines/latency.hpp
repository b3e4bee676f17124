// SPDX-License-Identifier: Apache-2.0
//
// How long a stage occupies its engine (SPEC 6), as pure functions of its size and the configuration. Every
// part of a duration (set-up, transfer, work) is rounded to picoseconds once.
#pragma once

#include "petal/command/op_spec.hpp"
#include "petal/command/units.hpp"
#include "petal/engines/engine_config.hpp"

namespace petal {

/// setup + bytes / port bandwidth.
Picoseconds fetch_duration(const FetchStoreConfig& config, ClockFrequency clock, Bytes bytes);
Picoseconds store_duration(const FetchStoreConfig& config, ClockFrequency clock, Bytes bytes);

/// MACs a cycle of the `throughput` model for operands whose wider type is `dtype`; 0 is unlimited.
double macs_per_cycle(const GemmConfig& config, DType dtype);
/// `throughput`: (m rounded up to m_quantum) * k * n / rate cycles, without rounding up to whole cycles.
/// `systolic`: systolic_cycles(), whatever the dtype.
Picoseconds gemm_duration(const GemmConfig& config, ClockFrequency clock, const GemmShape& tile, DType dtype);

/// startup + ceil(elements / lanes) * cycles of the opcode.
Picoseconds math_duration(const MathConfig& config, ClockFrequency clock, Opcode opcode,
                          std::uint64_t elements);

}  // namespace petal
