// SPDX-License-Identifier: Apache-2.0
//
// How a composite that is larger than the cap is cut into queue entries (SPEC 2.1, 11.2; ADR-0064 D7).
#pragma once

#include <cstdint>
#include <vector>

#include "petal/command/pe_command.hpp"
#include "petal/command/units.hpp"

namespace petal {

/// A contiguous slice of a composite's byte stream: ops [first_op, last_op), and the header if it is the
/// first.
struct CompositeSegment {
  Bytes logical_bytes{0};
  std::uint32_t first_op = 0;
  std::uint32_t last_op = 0;
};

/// One segment if the composite is within `cap`; else as few as filling each in op order gives. Their bytes
/// add up to the composite's. A GEMM stays with its K_TILE and OUTPUT_TILE ops. The first segment may hold
/// the header alone. Throws EmitError, naming the size, the cap and its YAML key, if something that cannot be
/// cut exceeds the cap.
std::vector<CompositeSegment> segment_composite(const CompositeCmd& composite, Bytes cap);

}  // namespace petal
