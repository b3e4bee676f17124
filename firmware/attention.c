/* SPDX-License-Identifier: Apache-2.0 */
#include "attention.h"

#include <math.h>

#include "half.h"

/* Numerical Recipes' generator; its upper 16 bits make a number. */
static float next_number(uint32_t* state) {
  *state = *state * 1664525u + 1013904223u;
  return (float)(*state >> 16) * 0x1p-14f - 2.0f;
}

static void fill(uint16_t* values, unsigned count, uint32_t seed) {
  for (unsigned index = 0; index < count; ++index) values[index] = half_from_float(next_number(&seed));
}

void attention_generate(struct attention* problem) {
  fill(&problem->q[0][0], QUERY_HEADS * HEAD_DIM, 1);
  fill(&problem->k[0][0], KEYS * HEAD_DIM, 2);
  fill(&problem->v[0][0], KEYS * HEAD_DIM, 3);
  for (unsigned head = 0; head < QUERY_HEADS; ++head)
    for (unsigned column = 0; column < HEAD_DIM; ++column) problem->out[head][column] = NAN;
}

static float score(const uint16_t* query, const uint16_t* key) {
  double sum = 0;
  for (unsigned index = 0; index < HEAD_DIM; ++index)
    sum += (double)(float_from_half(query[index]) * float_from_half(key[index]));
  return (float)sum * ATTENTION_SCALE;
}

/* Turns a query into the weights of the keys, which sum to 1. */
static void weigh_keys(const struct attention* problem, unsigned head, float weights[KEYS]) {
  float largest = -INFINITY;
  for (unsigned key = 0; key < KEYS; ++key) {
    weights[key] = score(problem->q[head], problem->k[key]);
    largest = fmaxf(largest, weights[key]);
  }
  double sum = 0;
  for (unsigned key = 0; key < KEYS; ++key) {
    weights[key] = expf(weights[key] - largest);
    sum += (double)weights[key];
  }
  for (unsigned key = 0; key < KEYS; ++key) weights[key] /= (float)sum;
}

static double worst_error_of_head(const struct attention* problem, unsigned head) {
  float weights[KEYS];
  double worst = 0;
  weigh_keys(problem, head, weights);
  for (unsigned column = 0; column < HEAD_DIM; ++column) {
    double sum = 0;
    for (unsigned key = 0; key < KEYS; ++key)
      sum += (double)(weights[key] * float_from_half(problem->v[key][column]));
    const double error = fabs((double)problem->out[head][column] - sum);
    if (!(error <= worst)) worst = error; /* a NaN is the worst, and stays */
    if (isnan(worst)) break;
  }
  return worst;
}

double attention_worst_error(const struct attention* problem) {
  double worst = 0;
  for (unsigned head = 0; head < QUERY_HEADS; ++head) {
    const double error = worst_error_of_head(problem, head);
    if (!(error <= worst)) worst = error;
    if (isnan(worst)) break;
  }
  return worst;
}
