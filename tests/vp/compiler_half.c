/* SPDX-License-Identifier: Apache-2.0 */
#include "compiler_half.h"

#include <string.h>

uint16_t compiler_half_from_float(float value) {
  const _Float16 half = (_Float16)value;
  uint16_t bits;
  memcpy(&bits, &half, sizeof bits);
  return bits;
}

float compiler_float_from_half(uint16_t half) {
  _Float16 value;
  memcpy(&value, &half, sizeof value);
  return (float)value;
}
