// SPDX-License-Identifier: Apache-2.0
//
// Which ops of a command each of its slices holds, told by the slices' lengths (SPEC 2.1).
#pragma once

#include <cstdint>
#include <vector>

#include "petal/command/pe_command.hpp"

namespace petal {

/// Ops [first, last) of a composite; [0, 0) for a command of another kind.
struct OpRange {
  std::uint32_t first = 0;
  std::uint32_t last = 0;

  friend bool operator==(const OpRange& a, const OpRange& b) {
    return a.first == b.first && a.last == b.last;
  }
};

/// The ops of slices of `lengths` bytes, which together are `command`. Throws DecodeError where a slice does
/// not end between two ops, or holds none (only the first may hold the header alone), where a GEMM would be
/// cut from its tile ops, and for more than one slice of what is no composite.
std::vector<OpRange> op_ranges(const PeCommand& command, const std::vector<Bytes>& lengths);

}  // namespace petal
