/* SPDX-License-Identifier: Apache-2.0 */
#include "half.h"

#include <string.h>

#define FLOAT_MANTISSA 23
#define HALF_MANTISSA 10
#define DROPPED (FLOAT_MANTISSA - HALF_MANTISSA)
#define FLOAT_BIAS 127
#define HALF_BIAS 15
#define HALF_INFINITY 0x7C00u

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* bits / 2^shift, to the nearest, ties to even. */
static uint32_t shift_rounding(uint32_t bits, unsigned shift) {
  const uint32_t half = 1u << (shift - 1);
  const uint32_t rest = bits & ((1u << shift) - 1);
  const uint32_t whole = bits >> shift;
  return whole + (rest > half || (rest == half && (whole & 1u)));
}

uint16_t half_from_float(float value) {
  const uint32_t bits = bits_of(value);
  const uint32_t sign = bits >> 16 & 0x8000u;
  const uint32_t magnitude = bits & 0x7FFFFFFFu;
  const int exponent = (int)(magnitude >> FLOAT_MANTISSA) - FLOAT_BIAS + HALF_BIAS;
  if (magnitude > 0x7F800000u) return (uint16_t)(sign | HALF_INFINITY | 0x200u);
  if (exponent > 30) return (uint16_t)(sign | HALF_INFINITY);
  if (exponent > 0) /* rounding up may carry into the exponent, to infinity in the end */
    return (uint16_t)(sign |
                      shift_rounding(magnitude - ((FLOAT_BIAS - HALF_BIAS) << FLOAT_MANTISSA), DROPPED));
  if (exponent < -HALF_MANTISSA) return (uint16_t)sign;
  const uint32_t significand = (magnitude & 0x7FFFFFu) | 0x800000u; /* a subnormal half */
  return (uint16_t)(sign | shift_rounding(significand, (unsigned)(DROPPED + 1 - exponent)));
}

float float_from_half(uint16_t half) {
  const uint32_t sign = (uint32_t)(half & 0x8000u) << 16;
  const uint32_t magnitude = half & 0x7FFFu;
  if (magnitude >= HALF_INFINITY) return float_of(sign | 0x7F800000u | (magnitude & 0x3FFu) << DROPPED);
  if (magnitude < 0x400u) { /* subnormal: a multiple of 2^-24 */
    const float value = (float)magnitude * 0x1p-24f;
    return sign ? -value : value;
  }
  return float_of(sign | ((magnitude << DROPPED) + ((FLOAT_BIAS - HALF_BIAS) << FLOAT_MANTISSA)));
}
