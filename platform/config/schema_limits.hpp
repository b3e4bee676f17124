// SPDX-License-Identifier: Apache-2.0
//
// Limits that several keys share. They keep every time in the 64-bit picosecond ledger and every size in a
// command's 32-bit scalars.
#pragma once

#include <cstdint>
#include <limits>

#include "petal/config/value_type.hpp"

namespace petal {

inline constexpr std::uint64_t kInt32Max = std::numeric_limits<std::int32_t>::max();
inline constexpr std::uint64_t kMostPes = 65536;
inline constexpr double kMostCycles = 1e9;
inline constexpr double kMostCyclesPerByte = 1e6;
inline constexpr double kLeastRate = 1e-3;
inline constexpr double kMostRate = 1e12;
inline constexpr std::uint64_t kGiB = std::uint64_t{1} << 30U;
/// A primitive command has at most 44 bytes; a smaller queue could never take one.
inline constexpr std::uint64_t kLeastQueueBytes = 64;

/// "none" or the name of a dispatch preset.
ValueType dispatch_preset_type();

}  // namespace petal
