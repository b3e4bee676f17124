// SPDX-License-Identifier: Apache-2.0
//
// What a slice reads and writes, as byte ranges: the sets that hazards are judged by (ADR-0065 D6.3,
// SPEC 11.8).
//
// A range is the bounding interval of one tensor in one memory. A slice of a composite has its own ops'
// ranges and all of the composite's rw_handles; one that carries the header alone has only the latter.
#pragma once

#include <vector>

#include "petal/command/command_sink.hpp"

namespace petal {

/// No list holds an empty range or the same range twice. The order is that of the ops, operands before the
/// rw_handles.
struct HazardRanges {
  using List = std::vector<ByteRange>;
  List reads;
  List writes;
};

/// The ranges of `slice`. The first operand of a tile-scoped op names the accumulator, so it is the write of
/// the GEMM's out and no read of memory; rw_handles are read and written. An OverheadCmd has none.
/// Precondition: `slice.command` is set and [first_op, last_op) lies within its ops.
HazardRanges hazard_ranges(const CommandSlice& slice);
/// The same, in place of what `ranges` holds and in its memory: commands are taken by the million.
void collect_hazard_ranges(const CommandSlice& slice, HazardRanges& ranges);

}  // namespace petal
