/* SPDX-License-Identifier: Apache-2.0 */
/* The commands of gqa_decode_opt2 (model/host/kernels) for one KV head: per tile of keys two composites, of
 * 58 and 322 bytes. */
#ifndef PETAL_DECODE_COMMANDS_H
#define PETAL_DECODE_COMMANDS_H

#include "attention.h"
#include "petal_driver.h"

/* Tensors the commands name. */
struct decode {
  petal_device* device;
  petal_ref queries_in_memory, keys, values, out_in_memory; /* HBM; keys and values are the first tile's */
  petal_ref queries, m, l, o;
  petal_ref scores[2]; /* tiles take turns */
  struct petal_softmax_merge merge;
  petal_ref divisor, normalised;
  uint32_t commands; /* put into the ring */
};

/* Enters the tensors of `problem` and of the TCM into the tensor table. */
petal_result decode_prepare(struct decode* decode, petal_device* device, const struct attention* problem);

/* Each puts commands into the ring: those before the first tile, of tile j, and after the last. */
petal_result decode_start(struct decode* decode);
petal_result decode_tile(struct decode* decode, uint32_t tile);
petal_result decode_finish(struct decode* decode);

#endif
