// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "petal/command/units.hpp"

namespace petal {

/// YAML: platform.pe.attrs.tcm.
struct TcmConfig {
  Bytes arena{std::uint64_t{1} << 20U};  ///< the kernel's scratch; staging lies beyond it
};

enum class HbmScope : std::uint8_t { per_pe, shared };
/// How an address picks its pseudo-channel: the XOR fold of all bits of address / interleave, or plain
/// modulo.
enum class HbmInterleave : std::uint8_t { xor_fold, modulo };

/// YAML: platform.hbm.
struct HbmConfig {
  HbmScope scope = HbmScope::per_pe;
  std::uint32_t channels = 8;            ///< pseudo-channels, 1 to 64
  Bandwidth channel_bandwidth{32.0};     ///< of one pseudo-channel
  double efficiency = 1.0;               ///< share of the bandwidth that is reached, (0, 1]
  std::uint64_t interleave_bytes = 256;  ///< a power of two
  HbmInterleave interleave = HbmInterleave::xor_fold;
  double latency_ns = 100.0;
  Bytes capacity{std::uint64_t{16} << 30U};
};

}  // namespace petal
