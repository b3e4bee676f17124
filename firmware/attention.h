/* SPDX-License-Identifier: Apache-2.0 */
/* The problem that the firmware gives the device: decode attention of one KV head, and its result by the CPU
 * alone. */
#ifndef PETAL_ATTENTION_H
#define PETAL_ATTENTION_H

#include <stdint.h>

enum {
  QUERY_HEADS = 4, /* that share the KV head */
  HEAD_DIM = 64,
  KEYS = 256,
  TILE = 64, /* keys that a pair of composites handles */
  TILES = KEYS / TILE,
};

/* Inputs are f16, the result is f32. */
struct attention {
  uint16_t q[QUERY_HEADS][HEAD_DIM];
  uint16_t k[KEYS][HEAD_DIM];
  uint16_t v[KEYS][HEAD_DIM];
  float out[QUERY_HEADS][HEAD_DIM];
};

/* 1 / sqrt(HEAD_DIM). */
#define ATTENTION_SCALE 0.125f

/* Fills q, k and v with numbers in [-2, 2), the same at each run, and `out` with NaN. */
void attention_generate(struct attention* problem);

/* The largest difference between `out` and softmax(q k^T scale) v, worked out in float with the sums in
 * double. */
double attention_worst_error(const struct attention* problem);

#endif
