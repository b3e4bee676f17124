/* SPDX-License-Identifier: Apache-2.0 */
/* IEEE 754 binary16, which the compiler has no type for. */
#ifndef PETAL_HALF_H
#define PETAL_HALF_H

#include <stdint.h>

/* The nearest half; ties go to the even one, what is too large to infinity. NaN stays NaN. */
uint16_t half_from_float(float value);

/* Exact. */
float float_from_half(uint16_t half);

#endif
