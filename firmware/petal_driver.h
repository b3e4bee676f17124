/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A driver for the PETAL device in plain C99: no allocation, no operating system, and of a C library only the
 * memcpy that a compiler may call to copy a structure. Memory for the command ring, the tensor table and the
 * completion ring is the caller's.
 *
 *     petal_device_init(&device, &config);                       registers, rings, ENABLE
 *     petal_tensor(&device, address, dtype, space, ...);         an entry of the tensor table
 *     petal_dma_read(&device, ...), petal_gemm(&device, ...);    each puts a command into the ring
 *     petal_doorbell(&device);                                   the device starts on what is there
 *     petal_next_completion(&device, &completion);               what has become of it, entry by entry
 *
 * A command is written straight into the ring. One that does not fit, because the ring is full or because a
 * part of it is larger than an entry, leaves nothing behind and is reported; nothing in the ring is ever
 * overwritten before the device has fetched it. The device of one driver is not for two threads.
 */
#ifndef PETAL_DRIVER_H
#define PETAL_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "petal_registers.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- Results --- */

typedef enum petal_result {
  PETAL_DONE = 0,
  PETAL_NO_DEVICE,    /* ID or the major version is another one */
  PETAL_BAD_ARGUMENT, /* an argument or a member of the configuration is out of range */
  PETAL_RESET_HANGS,  /* the device has not ended its reset */
  PETAL_REFUSED,      /* the device does not enable itself with these rings; ERROR_CAUSE says why */
  PETAL_TABLE_FULL,   /* the tensor table has no free entry */
  PETAL_RING_FULL,    /* the device has to fetch entries first: ring the doorbell, or try again later */
  PETAL_TOO_LARGE     /* it fits into no entry, or into no ring of this size, or its counts into no byte */
} petal_result;

/* --- The device --- */

/* Memory that software and the device share. Software uses `memory`; the device sees it at `address`, which
 * is a multiple of 16. Both are the same where no address is translated. */
typedef struct petal_memory {
  void* memory;
  uint64_t address;
} petal_memory;

typedef struct petal_config {
  volatile void* registers; /* where the device's registers are */
  petal_memory ring;        /* ring_slots * slot_bytes bytes */
  uint32_t ring_slots;      /* 1 to 65536, any number */
  uint32_t slot_bytes;      /* a multiple of 16, 32 to 65536; 16 + the largest entry to be sent */
  petal_memory table;       /* table_entries * PETAL_TENSOR_BYTES bytes */
  uint32_t table_entries;
  petal_memory completions;    /* completion_records * PETAL_COMPLETION_BYTES bytes */
  uint32_t completion_records; /* 0 to 65536; with 0 the device counts completions and records none */
  uint32_t first_entry;        /* what the numbers of entries start from; 0 will do */
} petal_config;

/* What the device says of itself. */
typedef struct petal_capabilities {
  uint32_t command_bytes; /* most bytes of an entry's command */
  uint32_t queue_bytes;
  uint32_t dtypes;  /* PETAL_CAP_DTYPES_*_MASK */
  uint32_t engines; /* PETAL_CAP_ENGINES_*_MASK */
  uint64_t tcm_bytes;
  uint32_t clock_khz;
  uint32_t in_flight;
} petal_capabilities;

/* The driver's own; but for `capabilities` and `data_op` nobody else's business. */
typedef struct petal_device {
  petal_config config;
  petal_capabilities capabilities;
  bool data_op;         /* false: the commands built from now on take their time and compute nothing */
  uint32_t slice_bytes; /* most command bytes of an entry: the cap, or what a slot holds */
  uint32_t next_number; /* of the next entry */
  uint32_t next_slot;   /* where it goes */
  uint32_t head;        /* RING_HEAD when last read */
  uint32_t next_id;     /* completion id of the next entry */
  uint32_t tensors;     /* entries of the tensor table in use */
  uint32_t records;     /* completion records read, modulo 2^32 */
  uint32_t next_record; /* where the next one lies */
  /* The command being built: slices in the slots from next_slot on. */
  petal_result problem; /* the first; nothing is written after it */
  uint32_t slices;
  uint32_t length;   /* bytes of the last slice */
  uint32_t group;    /* where in the last slice the part starts that cannot be cut */
  uint32_t ops_left; /* ops announced and not yet given */
} petal_device;

/* Finds out what the device is, resets it, hands it the rings and enables it. The tensor table is empty, no
 * interrupt is enabled. */
petal_result petal_device_init(petal_device* device, const petal_config* config);
/* The same again with the same memory: whatever is in the rings and in the tensor table is forgotten. */
petal_result petal_device_reset(petal_device* device);
/* The device goes on with the entry at which an error has stopped it. */
void petal_resume(petal_device* device);
/* Entries no longer fail for depending on those that failed until now. */
void petal_forget_failures(petal_device* device);
/* True while entries are being fetched or executed. */
bool petal_busy(const petal_device* device);
/* A register of 32 bits, and one of 64 in two parts of which `low` is the offset of the lower. The upper part
 * is read again until it stays the same. */
uint32_t petal_register(const petal_device* device, uint32_t offset);
uint64_t petal_register64(const petal_device* device, uint32_t low);

/* --- Tensors --- */

/* Names a tensor in a command: index of its table entry, and in the upper half a byte offset. */
typedef uint64_t petal_ref;

/* Adds an entry to the tensor table and stores its reference. `shape` and `strides` have `rank` members, in
 * elements; with `strides` null the tensor is row-major without gaps. */
petal_result petal_tensor(petal_device* device, uint64_t address, uint32_t dtype, uint32_t space,
                          uint32_t rank, const uint64_t* shape, const uint64_t* strides, petal_ref* ref);
/* The tensor that lies `bytes` behind: tiles of one shape share an entry. */
static inline petal_ref petal_behind(petal_ref ref, uint32_t bytes) {
  return ref + ((uint64_t)bytes << 32);
}
/* Empties the tensor table. No command that has not completed may name its entries. */
void petal_forget_tensors(petal_device* device);

/* --- Commands --- */

/* Opcodes, as PETAL's wire format numbers them. */
typedef enum petal_opcode {
  PETAL_OP_GEMM = 1, /* out = scale * a b: operands a, b; scalars m, k, n, [scale] */
  PETAL_OP_FILL,     /* out = value: scalar value */
  PETAL_OP_COPY,
  PETAL_OP_RMAX, /* maximum over the last axis: scalar reduce_axis (-1) */
  PETAL_OP_RSUM, /* sum over the last axis: scalar reduce_axis (-1) */
  PETAL_OP_MAX_ELEM,
  PETAL_OP_EXP,
  PETAL_OP_EXP_DIFF,  /* e^(a - b), b may be one value a row: scalar [bcast_axis] */
  PETAL_OP_FMA,       /* a * b + c */
  PETAL_OP_MUL_BCAST, /* b is one value a row: scalar bcast_axis */
  PETAL_OP_DIV_BCAST, /* b is one value a row: scalar bcast_axis */
  PETAL_OP_ADD,
  PETAL_OP_SUB,
  PETAL_OP_MUL,
  PETAL_OP_DIV,
  PETAL_OP_SCALE,     /* scalar factor */
  PETAL_OP_CLAMP_MIN, /* scalar floor */
  PETAL_OP_NEG,
  PETAL_OP_RELU,
  PETAL_OP_GELU,
  PETAL_OP_TANH,
  PETAL_OP_RSQRT,
  PETAL_OP_SIGMOID,
  PETAL_OP_SILU,
  PETAL_OP_SOFTCAP,   /* scalar cap */
  PETAL_OP_BAND_MASK, /* scalars low, high */
  PETAL_OP_WHERE      /* operands src, mask; scalar fill */
} petal_opcode;

#define PETAL_OPCODES 27u

typedef enum petal_scope { PETAL_KERNEL = 0, PETAL_K_TILE = 1, PETAL_OUTPUT_TILE = 2 } petal_scope;

/* A scalar of a command: the bits of an int32_t or of a float. */
typedef uint32_t petal_scalar;

static inline petal_scalar petal_i32(int32_t value) {
  return (petal_scalar)value;
}
static inline petal_scalar petal_f32(float value) {
  union {
    float value;
    petal_scalar bits;
  } both;
  both.value = value;
  return both.bits;
}

/* How many operands an opcode has, and how many scalars it has at least and at most. False for what is no
 * opcode. */
bool petal_counts_of(uint32_t opcode, uint32_t* operands, uint32_t* least_scalars, uint32_t* most_scalars);

/* Each puts one command into the ring. If `id` is not null it is given the completion id of the command's
 * last entry. Nothing starts before petal_doorbell. */
petal_result petal_dma_read(petal_device* device, petal_ref src, petal_ref dst, uint32_t bytes, uint32_t* id);
petal_result petal_dma_write(petal_device* device, petal_ref src, petal_ref dst, uint32_t bytes,
                             uint32_t* id);
/* out[m, n] = a[m, k] b[k, n], times `*scale` if it is not null. */
petal_result petal_gemm(petal_device* device, petal_ref a, petal_ref b, petal_ref out, uint32_t m, uint32_t k,
                        uint32_t n, const float* scale, uint32_t* id);
/* One MATH op. `operands` are as many as the opcode has. */
petal_result petal_math(petal_device* device, petal_opcode opcode, const petal_ref* operands, petal_ref out,
                        const petal_scalar* scalars, uint32_t scalar_count, uint32_t* id);
/* The PE's CPU spends `cycles`. */
petal_result petal_overhead(petal_device* device, uint32_t cycles, uint32_t* id);

/* A composite is built op by op, between a begin and a submit. It becomes several entries where it is larger
 * than one; a GEMM and the tile ops behind it stay in one. Errors are kept until petal_submit returns them.
 * `op_count` ops have to follow; `rw_handles` are the tensors that it both reads and writes, its out with
 * them. No other command may be built in between. */
void petal_composite(petal_device* device, const petal_ref* rw_handles, uint32_t rw_count, uint32_t op_count);
void petal_op(petal_device* device, petal_opcode opcode, petal_scope scope, const petal_ref* operands,
              petal_ref out, const petal_scalar* scalars, uint32_t scalar_count);
void petal_op_gemm(petal_device* device, petal_ref a, petal_ref b, petal_ref out, uint32_t m, uint32_t k,
                   uint32_t n, const float* scale);
petal_result petal_submit(petal_device* device, uint32_t* id);

/* The tensors of an online softmax's step: scores s, running maximum m, sum l and out o; the others hold what
 * lies between. */
typedef struct petal_softmax_merge {
  petal_ref s, m, l, o;
  petal_ref p; /* e^(s - maximum), as s */
  petal_ref m_loc, m_new, corr, l_loc;
} petal_softmax_merge;

/* Its eight ops, in a composite that has announced them (PETAL_SOFTMAX_MERGE_OPS). */
#define PETAL_SOFTMAX_MERGE_OPS 8u
void petal_op_softmax_merge(petal_device* device, const petal_softmax_merge* tensors);

/* Tells the device of every command put into the ring. */
void petal_doorbell(petal_device* device);
/* Slots that are free for entries. */
uint32_t petal_free_slots(petal_device* device);

/* --- Completions and interrupts --- */

typedef struct petal_completion {
  uint32_t id;
  uint32_t status;  /* PETAL_CAUSE_*; PETAL_CAUSE_OK if all is well */
  uint64_t address; /* where a memory access has failed; 0 if none has */
} petal_completion;

/* Takes the next completion record, in the order in which the device wrote them. False if there is none
 * yet. */
bool petal_next_completion(petal_device* device, petal_completion* completion);

/* `causes` is a combination of PETAL_INT_STATUS_*_MASK. */
void petal_interrupt_enable(petal_device* device, uint32_t causes);
/* Those that have happened and are enabled. */
uint32_t petal_interrupt_pending(const petal_device* device);
void petal_interrupt_clear(petal_device* device, uint32_t causes);
/* After how many completions PETAL_INT_STATUS_THRESHOLD_MASK is set. */
void petal_interrupt_threshold(petal_device* device, uint32_t completions);

#ifdef __cplusplus
}
#endif

#endif /* PETAL_DRIVER_H */
