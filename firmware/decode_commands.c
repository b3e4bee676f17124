/* SPDX-License-Identifier: Apache-2.0 */
#include "decode_commands.h"

#include <float.h>
#include <math.h>

#define F16_BYTES 2u
#define F32_BYTES 4u
#define BY_ROW 1 /* bcast_axis: one value a row */
#define ALIGNMENT 64u

/* --- Tensors --- */

struct shape {
  uint32_t rank;
  uint64_t axes[2];
};

/* Places tensors in the TCM one behind the other. */
struct placement {
  petal_device* device;
  uint64_t next;
  petal_result result; /* the first that was not PETAL_DONE */
};

static void in_memory(struct placement* at, const void* data, uint32_t dtype, struct shape shape,
                      const uint64_t* strides, petal_ref* ref) {
  if (at->result == PETAL_DONE)
    at->result = petal_tensor(at->device, (uintptr_t)data, dtype, PETAL_SPACE_HBM, shape.rank, shape.axes,
                              strides, ref);
}

static void in_tcm(struct placement* at, uint32_t dtype, struct shape shape, petal_ref* ref) {
  uint64_t bytes = dtype == PETAL_DTYPE_F16 ? F16_BYTES : F32_BYTES;
  for (uint32_t axis = 0; axis < shape.rank; ++axis) bytes *= shape.axes[axis];
  if (at->result == PETAL_DONE)
    at->result =
        petal_tensor(at->device, at->next, dtype, PETAL_SPACE_TCM, shape.rank, shape.axes, NULL, ref);
  at->next += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

petal_result decode_prepare(struct decode* decode, petal_device* device, const struct attention* problem) {
  const struct shape rows = {2, {QUERY_HEADS, HEAD_DIM}};
  const struct shape row_values = {1, {QUERY_HEADS, 0}};
  const struct shape row_scores = {2, {QUERY_HEADS, TILE}};
  const struct shape tile = {2, {TILE, HEAD_DIM}};
  const struct shape transposed_tile = {2, {HEAD_DIM, TILE}};
  const uint64_t transposed[] = {1, HEAD_DIM};
  struct placement at = {device, 0, PETAL_DONE};
  decode->device = device;
  decode->commands = 0;
  in_memory(&at, problem->q, PETAL_DTYPE_F16, rows, NULL, &decode->queries_in_memory);
  in_memory(&at, problem->k, PETAL_DTYPE_F16, transposed_tile, transposed, &decode->keys);
  in_memory(&at, problem->v, PETAL_DTYPE_F16, tile, NULL, &decode->values);
  in_memory(&at, problem->out, PETAL_DTYPE_F32, rows, NULL, &decode->out_in_memory);
  in_tcm(&at, PETAL_DTYPE_F16, rows, &decode->queries);
  in_tcm(&at, PETAL_DTYPE_F32, row_values, &decode->m);
  in_tcm(&at, PETAL_DTYPE_F32, row_values, &decode->l);
  in_tcm(&at, PETAL_DTYPE_F32, rows, &decode->o);
  in_tcm(&at, PETAL_DTYPE_F32, row_scores, &decode->scores[0]);
  in_tcm(&at, PETAL_DTYPE_F32, row_scores, &decode->scores[1]);
  in_tcm(&at, PETAL_DTYPE_F32, row_values, &decode->merge.m_loc);
  in_tcm(&at, PETAL_DTYPE_F32, row_values, &decode->merge.m_new);
  in_tcm(&at, PETAL_DTYPE_F32, row_values, &decode->merge.corr);
  in_tcm(&at, PETAL_DTYPE_F32, row_scores, &decode->merge.p);
  in_tcm(&at, PETAL_DTYPE_F32, row_values, &decode->merge.l_loc);
  in_tcm(&at, PETAL_DTYPE_F32, row_values, &decode->divisor);
  in_tcm(&at, PETAL_DTYPE_F32, rows, &decode->normalised);
  decode->merge.m = decode->m;
  decode->merge.l = decode->l;
  decode->merge.o = decode->o;
  if (at.result == PETAL_DONE && at.next > device->capabilities.tcm_bytes) return PETAL_TOO_LARGE;
  return at.result;
}

/* --- Commands --- */

/* Counts a command that is in the ring. */
static petal_result counted(struct decode* decode, petal_result result) {
  if (result == PETAL_DONE) ++decode->commands;
  return result;
}

static petal_result fill(struct decode* decode, petal_ref tensor, float value) {
  const petal_scalar scalar = petal_f32(value);
  return counted(decode, petal_math(decode->device, PETAL_OP_FILL, NULL, tensor, &scalar, 1, NULL));
}

petal_result decode_start(struct decode* decode) {
  petal_result result =
      counted(decode, petal_dma_read(decode->device, decode->queries_in_memory, decode->queries,
                                     QUERY_HEADS * HEAD_DIM * F16_BYTES, NULL));
  if (result == PETAL_DONE) result = fill(decode, decode->m, -INFINITY);
  if (result == PETAL_DONE) result = fill(decode, decode->l, 0.0f);
  if (result == PETAL_DONE) result = fill(decode, decode->o, 0.0f);
  return result;
}

/* Scores of the tile's keys: queries . keys^T, scaled. */
static petal_result score(struct decode* decode, petal_ref keys, petal_ref scores) {
  const float scale = ATTENTION_SCALE;
  petal_composite(decode->device, &scores, 1, 1);
  petal_op_gemm(decode->device, decode->queries, keys, scores, QUERY_HEADS, HEAD_DIM, TILE, &scale);
  return counted(decode, petal_submit(decode->device, NULL));
}

/* One step of the online softmax, and o += p . values. */
static petal_result accumulate(struct decode* decode, petal_ref scores, petal_ref values) {
  const petal_ref read_and_written[] = {decode->m, decode->l, decode->o};
  const petal_ref accumulator_and_other[] = {decode->o, decode->o};
  petal_softmax_merge merge = decode->merge;
  merge.s = scores;
  petal_composite(decode->device, read_and_written, 3, PETAL_SOFTMAX_MERGE_OPS + 2);
  petal_op_softmax_merge(decode->device, &merge);
  petal_op_gemm(decode->device, merge.p, values, decode->o, QUERY_HEADS, TILE, HEAD_DIM, NULL);
  petal_op(decode->device, PETAL_OP_ADD, PETAL_OUTPUT_TILE, accumulator_and_other, decode->o, NULL, 0);
  return counted(decode, petal_submit(decode->device, NULL));
}

petal_result decode_tile(struct decode* decode, uint32_t tile) {
  const uint32_t offset = tile * TILE * HEAD_DIM * F16_BYTES;
  const petal_ref scores = decode->scores[tile % 2];
  petal_result result = score(decode, petal_behind(decode->keys, offset), scores);
  if (result == PETAL_DONE) result = accumulate(decode, scores, petal_behind(decode->values, offset));
  return result;
}

/* o / l to memory. A head without keys has l = 0 and gives 0. */
petal_result decode_finish(struct decode* decode) {
  const petal_scalar smallest = petal_f32(FLT_MIN);
  const petal_scalar by_row = petal_i32(BY_ROW);
  const petal_ref dividend_and_divisor[] = {decode->o, decode->divisor};
  petal_result result = counted(decode, petal_math(decode->device, PETAL_OP_CLAMP_MIN, &decode->l,
                                                   decode->divisor, &smallest, 1, NULL));
  if (result == PETAL_DONE)
    result = counted(decode, petal_math(decode->device, PETAL_OP_DIV_BCAST, dividend_and_divisor,
                                        decode->normalised, &by_row, 1, NULL));
  if (result == PETAL_DONE)
    result = counted(decode, petal_dma_write(decode->device, decode->normalised, decode->out_in_memory,
                                             QUERY_HEADS * HEAD_DIM * F32_BYTES, NULL));
  return result;
}
