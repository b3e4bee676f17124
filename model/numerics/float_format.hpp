// SPDX-License-Identifier: Apache-2.0
//
// FloatFormat: a binary floating-point format narrower than f32, laid out as sign, exponent, significand.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace petal {

template <typename To, typename From>
To bits_of(From value) {
  static_assert(sizeof(To) == sizeof(From));
  To bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

/// `value` as f32, rounded towards zero, with the last bit set if anything was lost. Rounding that to a
/// format at least two bits shorter is the same as rounding `value`: a tie is still a tie, and what was none
/// is none.
inline float rounded_to_odd(double value) {
  const auto nearest = static_cast<float>(value);
  if (std::isnan(value) || static_cast<double>(nearest) == value) return nearest;
  auto bits = bits_of<std::uint32_t>(nearest);
  if (std::abs(static_cast<double>(nearest)) > std::abs(value)) --bits;
  return bits_of<float>(bits | 1U);
}

/// `kSignificandBits` without the implicit one. Codes are magnitudes, without the sign: `kMaxFinite` is the
/// largest finite number's, `kOverflow` what lies beyond it (infinity, or NaN where there is none), `kNan`
/// the NaN written.
template <typename StoredType, unsigned kSignificandBits, unsigned kBias, std::uint32_t kMaxFinite,
          std::uint32_t kOverflow, std::uint32_t kNan>
struct FloatFormat {
  using Stored = StoredType;

  static float decode(Stored stored) {
    const std::uint32_t code = stored & kMagnitude;
    // The code placed in an f32 is the number divided by a power of two, subnormal numbers included.
    const float magnitude =
        bits_of<float>(code << kDroppedBits) * bits_of<float>((254U - kBias) << kF32Significand);
    std::uint32_t bits = bits_of<std::uint32_t>(magnitude);
    if (code > kMaxFinite) bits = code == kOverflow && kOverflow != kNan ? kF32Infinity : kF32Nan;
    return bits_of<float>(bits | (static_cast<std::uint32_t>(stored & kSign) << (32U - 8U * sizeof(Stored))));
  }

  static Stored encode(double value) { return encode(rounded_to_odd(value)); }

  static Stored encode(float value) {
    const std::uint32_t bits = bits_of<std::uint32_t>(value);
    const std::uint32_t magnitude = bits & ~kF32Sign;
    if (magnitude > kF32Infinity) return static_cast<Stored>(kNan);
    std::uint32_t code = magnitude < kMinNormal ? subnormal_code(magnitude) : normal_code(magnitude);
    if (code > kMaxFinite) code = kOverflow;
    return static_cast<Stored>(code | (bits >> 31U) << (8U * sizeof(Stored) - 1U));
  }

 private:
  static constexpr unsigned kF32Significand = 23;
  static constexpr unsigned kF32Bias = 127;
  static constexpr std::uint32_t kF32Sign = 0x80000000U;
  static constexpr std::uint32_t kF32Infinity = 0x7F800000U;
  static constexpr std::uint32_t kF32Nan = 0x7FC00000U;
  static constexpr unsigned kDroppedBits = kF32Significand - kSignificandBits;
  static constexpr std::uint32_t kSign = 1U << (8U * sizeof(Stored) - 1U);
  static constexpr std::uint32_t kMagnitude = kSign - 1U;
  /// The f32 code of the format's smallest normal number, 2^(1 - bias).
  static constexpr std::uint32_t kMinNormal = (kF32Bias + 1U - kBias) << kF32Significand;

  /// Half a unit less one, and one more if the last kept bit is odd: ties go to even. A carry runs into the
  /// exponent.
  static std::uint32_t normal_code(std::uint32_t magnitude) {
    const std::uint32_t last_kept = (magnitude >> kDroppedBits) & 1U;
    const std::uint32_t rounded = magnitude + (1U << (kDroppedBits - 1U)) - 1U + last_kept;
    return (rounded >> kDroppedBits) - ((kF32Bias - kBias) << kSignificandBits);
  }

  /// An f32 whose unit is the format's smallest number: adding it rounds to that unit.
  static std::uint32_t subnormal_code(std::uint32_t magnitude) {
    constexpr std::uint32_t kUnit = (kF32Bias + 1U - kBias + kDroppedBits) << kF32Significand;
    return bits_of<std::uint32_t>(bits_of<float>(magnitude) + bits_of<float>(kUnit)) - kUnit;
  }
};

using Float16 = FloatFormat<std::uint16_t, 10, 15, 0x7BFF, 0x7C00, 0x7E00>;
using BFloat16 = FloatFormat<std::uint16_t, 7, 127, 0x7F7F, 0x7F80, 0x7FC0>;
using Float8E4M3 = FloatFormat<std::uint8_t, 3, 7, 0x7E, 0x7F, 0x7F>;
using Float8E5M2 = FloatFormat<std::uint8_t, 2, 15, 0x7B, 0x7C, 0x7E>;

}  // namespace petal
