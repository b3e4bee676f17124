/* SPDX-License-Identifier: Apache-2.0 */
/* Halves as the host's C compiler has them. */
#ifndef PETAL_COMPILER_HALF_H
#define PETAL_COMPILER_HALF_H

#include <stdint.h>

uint16_t compiler_half_from_float(float value);
float compiler_float_from_half(uint16_t half);

#endif
