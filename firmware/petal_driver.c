/* SPDX-License-Identifier: Apache-2.0 */
#include "petal_driver.h"

#define KIND_DMA_READ 1u
#define KIND_DMA_WRITE 2u
#define KIND_GEMM 3u
#define KIND_MATH 4u
#define KIND_COMPOSITE 5u
#define KIND_OVERHEAD 6u
#define FLAG_BIT 0x80u /* of the kind: the data is computed; of the scope: an out follows */
#define ID_MASK 0xFFFFFFu
#define MOST_SLOTS 65536u
#define MOST_SLOT_BYTES 65536u
#define LEAST_SLOT_BYTES 32u
#define MOST_RANK 4u
#define MOST_COUNT 255u
#define RESET_POLLS 10000000u

/* --- Registers and memory --- */

/* Memory accesses before it come before register and memory accesses behind it. */
static void barrier(void) {
#if defined(__riscv)
  __asm__ volatile("fence iorw, iorw" ::: "memory");
#else
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

uint32_t petal_register(const petal_device* device, uint32_t offset) {
  return ((const volatile uint32_t*)device->config.registers)[offset / 4];
}

static void write_register(const petal_device* device, uint32_t offset, uint32_t value) {
  ((volatile uint32_t*)device->config.registers)[offset / 4] = value;
}

uint64_t petal_register64(const petal_device* device, uint32_t low) {
  uint32_t upper = petal_register(device, low + 4);
  for (;;) {
    const uint32_t lower = petal_register(device, low);
    const uint32_t again = petal_register(device, low + 4);
    if (again == upper) return (uint64_t)upper << 32 | lower;
    upper = again;
  }
}

static void write_register64(const petal_device* device, uint32_t low, uint64_t value) {
  write_register(device, low, (uint32_t)value);
  write_register(device, low + 4, (uint32_t)(value >> 32));
}

static void store_little_endian(uint8_t* to, uint64_t value, uint32_t width) {
  for (uint32_t index = 0; index < width; ++index) to[index] = (uint8_t)(value >> 8 * index);
}

static uint64_t load_little_endian(const volatile uint8_t* from, uint32_t width) {
  uint64_t value = 0;
  for (uint32_t index = width; index-- > 0;) value = value << 8 | from[index];
  return value;
}

/* --- The device --- */

static bool is_memory(const petal_memory* memory) {
  return memory->memory != NULL && memory->address % 16 == 0 && (uintptr_t)memory->memory % 8 == 0;
}

static bool is_config(const petal_config* config) {
  if (config->registers == NULL || !is_memory(&config->ring)) return false;
  if (config->ring_slots < 1 || config->ring_slots > MOST_SLOTS) return false;
  if (config->slot_bytes < LEAST_SLOT_BYTES || config->slot_bytes > MOST_SLOT_BYTES) return false;
  if (config->slot_bytes % 16 != 0) return false;
  if (config->table_entries > 0 && !is_memory(&config->table)) return false;
  if (config->completion_records > MOST_SLOTS) return false;
  return config->completion_records == 0 || is_memory(&config->completions);
}

static void read_capabilities(petal_device* device) {
  petal_capabilities* capabilities = &device->capabilities;
  capabilities->command_bytes = petal_register(device, PETAL_REG_CAP_COMMAND_BYTES);
  capabilities->queue_bytes = petal_register(device, PETAL_REG_CAP_QUEUE_BYTES);
  capabilities->dtypes = petal_register(device, PETAL_REG_CAP_DTYPES);
  capabilities->engines = petal_register(device, PETAL_REG_CAP_ENGINES);
  capabilities->tcm_bytes = petal_register64(device, PETAL_REG_CAP_TCM_LO);
  capabilities->clock_khz = petal_register(device, PETAL_REG_CAP_CLOCK_KHZ);
  capabilities->in_flight = petal_register(device, PETAL_REG_CAP_IN_FLIGHT);
}

static bool is_petal(const petal_device* device) {
  const uint32_t version = petal_register(device, PETAL_REG_VERSION);
  return petal_register(device, PETAL_REG_ID) == PETAL_ID_VALUE &&
         (version & PETAL_VERSION_MAJOR_MASK) == (PETAL_VERSION_VALUE & PETAL_VERSION_MAJOR_MASK);
}

petal_result petal_device_init(petal_device* device, const petal_config* config) {
  if (!is_config(config)) return PETAL_BAD_ARGUMENT;
  device->config = *config;
  device->data_op = true;
  if (!is_petal(device)) return PETAL_NO_DEVICE;
  read_capabilities(device);
  return petal_device_reset(device);
}

/* No slot may look like an entry that is to come, and no record like a completion that is to come. */
static void clear_rings(petal_device* device) {
  const petal_config* config = &device->config;
  uint8_t* const ring = config->ring.memory;
  uint8_t* const records = config->completions.memory;
  for (uint32_t slot = 0; slot < config->ring_slots; ++slot)
    store_little_endian(ring + (size_t)slot * config->slot_bytes, 0, 8);
  for (uint32_t record = 0; record < config->completion_records; ++record)
    store_little_endian(records + (size_t)record * PETAL_COMPLETION_BYTES, 0, 8);
}

static void start_over(petal_device* device) {
  const uint32_t room = device->config.slot_bytes - PETAL_SLOT_COMMAND;
  const uint32_t cap = device->capabilities.command_bytes;
  device->slice_bytes = cap < room ? cap : room;
  device->next_number = device->head = device->config.first_entry;
  device->next_slot = 0;
  device->next_id = 1;
  device->tensors = 0;
  device->records = 0;
  device->next_record = 0;
  device->problem = PETAL_DONE;
  device->slices = 0;
  device->ops_left = 0;
}

static void hand_over_rings(const petal_device* device) {
  const petal_config* config = &device->config;
  write_register64(device, PETAL_REG_RING_BASE_LO, config->ring.address);
  write_register(device, PETAL_REG_RING_SIZE, config->ring_slots);
  write_register(device, PETAL_REG_RING_STRIDE, config->slot_bytes);
  write_register(device, PETAL_REG_RING_START, config->first_entry);
  write_register64(device, PETAL_REG_TABLE_BASE_LO, config->table.address);
  write_register(device, PETAL_REG_TABLE_SIZE, config->table_entries);
  write_register64(device, PETAL_REG_CQ_BASE_LO, config->completions.address);
  write_register(device, PETAL_REG_CQ_SIZE, config->completion_records);
}

petal_result petal_device_reset(petal_device* device) {
  uint32_t polls = 0;
  write_register(device, PETAL_REG_CONTROL, PETAL_CONTROL_SOFT_RESET_MASK);
  while ((petal_register(device, PETAL_REG_STATUS) & PETAL_STATUS_RESETTING_MASK) != 0)
    if (++polls == RESET_POLLS) return PETAL_RESET_HANGS;
  clear_rings(device);
  start_over(device);
  hand_over_rings(device);
  barrier();
  write_register(device, PETAL_REG_CONTROL, PETAL_CONTROL_ENABLE_MASK);
  const bool is_enabled = (petal_register(device, PETAL_REG_CONTROL) & PETAL_CONTROL_ENABLE_MASK) != 0;
  return is_enabled ? PETAL_DONE : PETAL_REFUSED;
}

void petal_resume(petal_device* device) {
  barrier();
  write_register(device, PETAL_REG_CONTROL, PETAL_CONTROL_ENABLE_MASK | PETAL_CONTROL_RESUME_MASK);
}

void petal_forget_failures(petal_device* device) {
  write_register(device, PETAL_REG_CONTROL, PETAL_CONTROL_ENABLE_MASK | PETAL_CONTROL_FORGET_FAILURES_MASK);
}

bool petal_busy(const petal_device* device) {
  return (petal_register(device, PETAL_REG_STATUS) & PETAL_STATUS_BUSY_MASK) != 0;
}

/* --- Tensors --- */

petal_result petal_tensor(petal_device* device, uint64_t address, uint32_t dtype, uint32_t space,
                          uint32_t rank, const uint64_t* shape, const uint64_t* strides, petal_ref* ref) {
  if (dtype > PETAL_DTYPE_BOOLEAN || space > PETAL_SPACE_TCM || rank > MOST_RANK) return PETAL_BAD_ARGUMENT;
  if (device->tensors == device->config.table_entries) return PETAL_TABLE_FULL;
  uint8_t* const entry = (uint8_t*)device->config.table.memory + (size_t)device->tensors * PETAL_TENSOR_BYTES;
  store_little_endian(entry + PETAL_TENSOR_ADDRESS, address, 8);
  store_little_endian(entry + PETAL_TENSOR_DTYPE, 0, 8);
  entry[PETAL_TENSOR_DTYPE] = (uint8_t)dtype;
  entry[PETAL_TENSOR_SPACE] = (uint8_t)space;
  entry[PETAL_TENSOR_RANK] = (uint8_t)rank;
  uint64_t dense = 1; /* elements between neighbours of this axis, without gaps */
  for (uint32_t axis = MOST_RANK; axis-- > 0;) {
    const uint64_t size = axis < rank ? shape[axis] : 0;
    const uint64_t stride = axis >= rank ? 0 : strides == NULL ? dense : strides[axis];
    store_little_endian(entry + PETAL_TENSOR_SHAPE + 8 * axis, size, 8);
    store_little_endian(entry + PETAL_TENSOR_STRIDE + 8 * axis, stride, 8);
    if (axis < rank) dense *= size;
  }
  *ref = device->tensors++;
  return PETAL_DONE;
}

void petal_forget_tensors(petal_device* device) {
  device->tensors = 0;
}

/* --- Building a command in the ring --- */

/* Slice `index` of the command being built. */
static uint8_t* slot_of(const petal_device* device, uint32_t index) {
  const uint64_t slot = ((uint64_t)device->next_slot + index) % device->config.ring_slots;
  return (uint8_t*)device->config.ring.memory + (size_t)slot * device->config.slot_bytes;
}

static void fail(petal_device* device, petal_result problem) {
  if (device->problem == PETAL_DONE) device->problem = problem;
}

uint32_t petal_free_slots(petal_device* device) {
  device->head = petal_register(device, PETAL_REG_RING_HEAD);
  return device->config.ring_slots - (device->next_number - device->head);
}

static bool has_free_slot(petal_device* device, uint32_t slices) {
  const uint32_t used = device->next_number - device->head; /* at most, since `head` may be old */
  return slices < device->config.ring_slots - used || slices < petal_free_slots(device);
}

static petal_result find_room_problem(petal_device* device) {
  if (device->slices == device->config.ring_slots) return PETAL_TOO_LARGE;
  return has_free_slot(device, device->slices) ? PETAL_DONE : PETAL_RING_FULL;
}

/* Starts another slice. The length of the one before stands in its header, without which it is no entry. */
static void add_slice(petal_device* device) {
  fail(device, find_room_problem(device));
  if (device->problem != PETAL_DONE) return;
  if (device->slices > 0)
    store_little_endian(slot_of(device, device->slices - 1) + PETAL_SLOT_CONTROL, device->length, 4);
  ++device->slices;
  device->length = 0;
}

/* The part that cannot be cut does not fit behind the parts before it: it becomes a slice of its own. */
static void move_group(petal_device* device) {
  const uint32_t from = device->group;
  const uint32_t bytes = device->length - from;
  if (from == 0) fail(device, PETAL_TOO_LARGE);
  device->length = from;
  add_slice(device);
  if (device->problem != PETAL_DONE) return;
  const uint8_t* const old = slot_of(device, device->slices - 2) + PETAL_SLOT_COMMAND;
  uint8_t* const slot = slot_of(device, device->slices - 1) + PETAL_SLOT_COMMAND;
  for (uint32_t index = 0; index < bytes; ++index) slot[index] = old[from + index];
  device->length = bytes;
  device->group = 0;
}

static void put(petal_device* device, uint64_t value, uint32_t width) {
  if (device->problem == PETAL_DONE && device->length + width > device->slice_bytes) move_group(device);
  if (device->problem == PETAL_DONE && device->length + width > device->slice_bytes)
    fail(device, PETAL_TOO_LARGE);
  if (device->problem != PETAL_DONE) return;
  uint8_t* const slot = slot_of(device, device->slices - 1) + PETAL_SLOT_COMMAND;
  store_little_endian(slot + device->length, value, width);
  device->length += width;
}

static void put_refs(petal_device* device, const petal_ref* refs, uint32_t count) {
  for (uint32_t index = 0; index < count && device->problem == PETAL_DONE; ++index)
    put(device, refs[index], 8);
}

static void put_scalars(petal_device* device, const petal_scalar* scalars, uint32_t count) {
  for (uint32_t index = 0; index < count && device->problem == PETAL_DONE; ++index)
    put(device, scalars[index], 4);
}

static void begin(petal_device* device, uint32_t kind) {
  device->problem = PETAL_DONE;
  device->slices = 0;
  device->length = 0;
  device->group = 0;
  device->ops_left = 0;
  add_slice(device);
  put(device, kind | (device->data_op ? FLAG_BIT : 0) | device->next_id << 8, 4);
}

/* Makes an entry of slice `index`: its first eight bytes come last, in one store. */
static void publish(petal_device* device, uint32_t index) {
  uint8_t* const slot = slot_of(device, index);
  const bool is_last = index + 1 == device->slices;
  const uint32_t length =
      is_last ? device->length : (uint32_t)load_little_endian(slot + PETAL_SLOT_CONTROL, 4);
  const uint32_t control = length | (index == 0 ? PETAL_SLOT_CONTROL_FIRST_MASK : 0) |
                           (is_last ? PETAL_SLOT_CONTROL_LAST_MASK : 0) | PETAL_SLOT_CONTROL_VALID_MASK;
  union {
    uint8_t bytes[8];
    uint64_t word;
  } header;
  store_little_endian(slot + PETAL_SLOT_COMPLETION_ID, (device->next_id + index) & ID_MASK, 8);
  store_little_endian(header.bytes + PETAL_SLOT_SEQUENCE, device->next_number + index, 4);
  store_little_endian(header.bytes + PETAL_SLOT_CONTROL, control, 4);
  barrier();
  *(volatile uint64_t*)(void*)slot = header.word;
}

petal_result petal_submit(petal_device* device, uint32_t* id) {
  if (device->ops_left != 0) fail(device, PETAL_BAD_ARGUMENT);
  if (device->slices == 0) fail(device, PETAL_BAD_ARGUMENT);
  const petal_result result = device->problem;
  const uint32_t slices = result == PETAL_DONE ? device->slices : 0;
  for (uint32_t index = slices; index-- > 0;) publish(device, index);
  if (id != NULL && slices > 0) *id = (device->next_id + slices - 1) & ID_MASK;
  device->next_id = (device->next_id + slices) & ID_MASK;
  device->next_number += slices;
  device->next_slot = (uint32_t)(((uint64_t)device->next_slot + slices) % device->config.ring_slots);
  device->slices = 0;
  device->ops_left = 0;
  return result;
}

void petal_doorbell(petal_device* device) {
  barrier();
  write_register(device, PETAL_REG_DOORBELL, device->next_number);
}

/* --- Commands --- */

static petal_result dma(petal_device* device, uint32_t kind, petal_ref src, petal_ref dst, uint32_t bytes,
                        uint32_t* id) {
  begin(device, kind);
  put(device, src, 8);
  put(device, dst, 8);
  put(device, bytes, 4);
  return petal_submit(device, id);
}

petal_result petal_dma_read(petal_device* device, petal_ref src, petal_ref dst, uint32_t bytes,
                            uint32_t* id) {
  return dma(device, KIND_DMA_READ, src, dst, bytes, id);
}

petal_result petal_dma_write(petal_device* device, petal_ref src, petal_ref dst, uint32_t bytes,
                             uint32_t* id) {
  return dma(device, KIND_DMA_WRITE, src, dst, bytes, id);
}

petal_result petal_gemm(petal_device* device, petal_ref a, petal_ref b, petal_ref out, uint32_t m, uint32_t k,
                        uint32_t n, const float* scale, uint32_t* id) {
  begin(device, KIND_GEMM);
  put(device, a, 8);
  put(device, b, 8);
  put(device, out, 8);
  put(device, m, 4);
  put(device, k, 4);
  put(device, n, 4);
  if (scale != NULL) put(device, petal_f32(*scale), 4);
  return petal_submit(device, id);
}

petal_result petal_overhead(petal_device* device, uint32_t cycles, uint32_t* id) {
  begin(device, KIND_OVERHEAD);
  put(device, cycles, 4);
  return petal_submit(device, id);
}

/* By opcode: operands, scalars that must be there, scalars that can be there. */
static const uint8_t COUNTS[PETAL_OPCODES + 1][3] = {
    [PETAL_OP_GEMM] = {2, 3, 4},      [PETAL_OP_FILL] = {0, 1, 1},      [PETAL_OP_COPY] = {1, 0, 0},
    [PETAL_OP_RMAX] = {1, 1, 1},      [PETAL_OP_RSUM] = {1, 1, 1},      [PETAL_OP_MAX_ELEM] = {2, 0, 0},
    [PETAL_OP_EXP] = {1, 0, 0},       [PETAL_OP_EXP_DIFF] = {2, 0, 1},  [PETAL_OP_FMA] = {3, 0, 0},
    [PETAL_OP_MUL_BCAST] = {2, 1, 1}, [PETAL_OP_DIV_BCAST] = {2, 1, 1}, [PETAL_OP_ADD] = {2, 0, 0},
    [PETAL_OP_SUB] = {2, 0, 0},       [PETAL_OP_MUL] = {2, 0, 0},       [PETAL_OP_DIV] = {2, 0, 0},
    [PETAL_OP_SCALE] = {1, 1, 1},     [PETAL_OP_CLAMP_MIN] = {1, 1, 1}, [PETAL_OP_NEG] = {1, 0, 0},
    [PETAL_OP_RELU] = {1, 0, 0},      [PETAL_OP_GELU] = {1, 0, 0},      [PETAL_OP_TANH] = {1, 0, 0},
    [PETAL_OP_RSQRT] = {1, 0, 0},     [PETAL_OP_SIGMOID] = {1, 0, 0},   [PETAL_OP_SILU] = {1, 0, 0},
    [PETAL_OP_SOFTCAP] = {1, 1, 1},   [PETAL_OP_BAND_MASK] = {1, 2, 2}, [PETAL_OP_WHERE] = {2, 1, 1},
};

bool petal_counts_of(uint32_t opcode, uint32_t* operands, uint32_t* least_scalars, uint32_t* most_scalars) {
  if (opcode < PETAL_OP_GEMM || opcode > PETAL_OPCODES) return false;
  *operands = COUNTS[opcode][0];
  *least_scalars = COUNTS[opcode][1];
  *most_scalars = COUNTS[opcode][2];
  return true;
}

/* The number of operands of an op; fails the command if the opcode has not so many scalars. */
static uint32_t check_op(petal_device* device, uint32_t opcode, uint32_t scalar_count) {
  uint32_t operands = 0;
  uint32_t least = 0;
  uint32_t most = 0;
  if (!petal_counts_of(opcode, &operands, &least, &most) || scalar_count < least || scalar_count > most)
    fail(device, PETAL_BAD_ARGUMENT);
  return operands;
}

petal_result petal_math(petal_device* device, petal_opcode opcode, const petal_ref* operands, petal_ref out,
                        const petal_scalar* scalars, uint32_t scalar_count, uint32_t* id) {
  begin(device, KIND_MATH);
  if (opcode == PETAL_OP_GEMM) fail(device, PETAL_BAD_ARGUMENT);
  const uint32_t operand_count = check_op(device, opcode, scalar_count);
  put(device, opcode, 1);
  put_refs(device, operands, operand_count);
  put(device, out, 8);
  put_scalars(device, scalars, scalar_count);
  return petal_submit(device, id);
}

void petal_composite(petal_device* device, const petal_ref* rw_handles, uint32_t rw_count,
                     uint32_t op_count) {
  begin(device, KIND_COMPOSITE);
  if (rw_count > MOST_COUNT || op_count > MOST_COUNT) fail(device, PETAL_TOO_LARGE);
  put(device, rw_count, 1);
  put_refs(device, rw_handles, rw_count);
  put(device, op_count, 1);
  device->ops_left = op_count;
}

void petal_op(petal_device* device, petal_opcode opcode, petal_scope scope, const petal_ref* operands,
              petal_ref out, const petal_scalar* scalars, uint32_t scalar_count) {
  if (device->ops_left == 0) fail(device, PETAL_BAD_ARGUMENT);
  if (scope > PETAL_OUTPUT_TILE) fail(device, PETAL_BAD_ARGUMENT);
  const uint32_t operand_count = check_op(device, opcode, scalar_count);
  if (device->problem != PETAL_DONE) return;
  --device->ops_left;
  if (scope == PETAL_KERNEL) device->group = device->length;
  put(device, opcode, 1);
  put(device, scope | FLAG_BIT, 1);
  put(device, operand_count, 1);
  put_refs(device, operands, operand_count);
  put(device, out, 8);
  put(device, scalar_count, 1);
  put_scalars(device, scalars, scalar_count);
}

void petal_op_gemm(petal_device* device, petal_ref a, petal_ref b, petal_ref out, uint32_t m, uint32_t k,
                   uint32_t n, const float* scale) {
  const petal_ref operands[] = {a, b};
  petal_scalar scalars[] = {m, k, n, 0};
  if (scale != NULL) scalars[3] = petal_f32(*scale);
  petal_op(device, PETAL_OP_GEMM, PETAL_KERNEL, operands, out, scalars, scale != NULL ? 4 : 3);
}

void petal_op_softmax_merge(petal_device* device, const petal_softmax_merge* tensors) {
  const petal_ref s[] = {tensors->s, tensors->m_new};
  const petal_ref m[] = {tensors->m, tensors->m_loc};
  const petal_ref change[] = {tensors->m, tensors->m_new};
  const petal_ref l[] = {tensors->l, tensors->corr, tensors->l_loc};
  const petal_ref o[] = {tensors->o, tensors->corr};
  const petal_scalar last_axis = petal_i32(-1);
  const petal_scalar axis_0 = petal_i32(0);
  const petal_scalar axis_1 = petal_i32(1);
  petal_op(device, PETAL_OP_RMAX, PETAL_KERNEL, &tensors->s, tensors->m_loc, &last_axis, 1);
  petal_op(device, PETAL_OP_MAX_ELEM, PETAL_KERNEL, m, tensors->m_new, NULL, 0);
  petal_op(device, PETAL_OP_EXP_DIFF, PETAL_KERNEL, change, tensors->corr, NULL, 0);
  petal_op(device, PETAL_OP_EXP_DIFF, PETAL_KERNEL, s, tensors->p, &axis_0, 1);
  petal_op(device, PETAL_OP_RSUM, PETAL_KERNEL, &tensors->p, tensors->l_loc, &last_axis, 1);
  petal_op(device, PETAL_OP_FMA, PETAL_KERNEL, l, tensors->l, NULL, 0);
  petal_op(device, PETAL_OP_MUL_BCAST, PETAL_KERNEL, o, tensors->o, &axis_1, 1);
  petal_op(device, PETAL_OP_COPY, PETAL_KERNEL, &tensors->m_new, tensors->m, NULL, 0);
}

/* --- Completions and interrupts --- */

bool petal_next_completion(petal_device* device, petal_completion* completion) {
  if (device->config.completion_records == 0) return false;
  const volatile uint8_t* const record = (const volatile uint8_t*)device->config.completions.memory +
                                         (size_t)device->next_record * PETAL_COMPLETION_BYTES;
  const volatile uint32_t* const number = (const volatile uint32_t*)(const volatile void*)record;
  const uint32_t expected = device->records + 1;
  union {
    uint8_t bytes[4];
    uint32_t word;
  } seen;
  seen.word = *number;
  if ((uint32_t)load_little_endian(seen.bytes, 4) != expected) return false;
  barrier();
  const uint32_t result = (uint32_t)load_little_endian(record + PETAL_COMPLETION_RESULT, 4);
  completion->id = result & PETAL_COMPLETION_RESULT_ID_MASK;
  completion->status = result >> PETAL_COMPLETION_RESULT_STATUS_SHIFT;
  completion->address = load_little_endian(record + PETAL_COMPLETION_ADDRESS, 8);
  device->records = expected;
  device->next_record =
      device->next_record + 1 == device->config.completion_records ? 0 : device->next_record + 1;
  barrier();
  write_register(device, PETAL_REG_CQ_HEAD, device->records);
  return true;
}

void petal_interrupt_enable(petal_device* device, uint32_t causes) {
  write_register(device, PETAL_REG_INT_ENABLE, causes);
}

uint32_t petal_interrupt_pending(const petal_device* device) {
  return petal_register(device, PETAL_REG_INT_PENDING);
}

void petal_interrupt_clear(petal_device* device, uint32_t causes) {
  write_register(device, PETAL_REG_INT_STATUS, causes);
}

void petal_interrupt_threshold(petal_device* device, uint32_t completions) {
  write_register(device, PETAL_REG_INT_THRESHOLD, completions);
}
