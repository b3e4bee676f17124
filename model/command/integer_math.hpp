// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace petal {

/// value / by, rounded up: the tiles, blocks or vectors of `by` that hold `value`. Precondition: `by` is not
/// 0.
constexpr std::uint64_t divide_up(std::uint64_t value, std::uint64_t by) {
  return value / by + (value % by != 0 ? 1 : 0);
}

/// The least multiple of `multiple` that is not below `value`. Precondition: `multiple` is not 0.
constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
  return divide_up(value, multiple) * multiple;
}

}  // namespace petal
