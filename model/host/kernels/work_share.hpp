// SPDX-License-Identifier: Apache-2.0
//
// How the programs of a launch share rows, columns or keys: in whole blocks, contiguous and as even as they
// come out.
#pragma once

#include <cstdint>

namespace petal {

/// Indices [begin, end).
struct IndexRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  std::uint64_t size() const { return end - begin; }
};

/// Share `share` of `shares` of `total` indices, cut at multiples of `block`; the last block has what is
/// left. Empty if there are fewer blocks than shares and this one gets none. Preconditions: block and shares
/// are not 0.
IndexRange share_of(std::uint64_t total, std::uint64_t block, std::uint64_t share, std::uint64_t shares);

}  // namespace petal
