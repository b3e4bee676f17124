// SPDX-License-Identifier: Apache-2.0
//
// What PE_CPU pays to issue a command (ADR-0064 D1):
//
//     dispatch_cycles(cmd) = FIXED + cmd.logical_bytes * R
#pragma once

#include <cstdint>

#include "petal/command/units.hpp"

namespace petal {

/// YAML: platform.pe.attrs.pe_cost_model. The defaults are ADR-0064 D3's.
struct DispatchCostConfig {
  double fixed_per_cmd_cycles = 40.0;                ///< FIXED, cycles a command, >= 0
  double byte_cycles_recip = 0.0625;                 ///< R, cycles a byte, >= 0
  std::uint64_t max_composite_logical_bytes = 1024;  ///< the cap of SPEC 2.1, bytes
};

/// FIXED + bytes * R.
constexpr Cycles dispatch_cycles(const DispatchCostConfig& cost, Bytes bytes) {
  return Cycles(cost.fixed_per_cmd_cycles + static_cast<double>(bytes.count()) * cost.byte_cycles_recip);
}

}  // namespace petal
