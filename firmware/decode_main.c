/* SPDX-License-Identifier: Apache-2.0 */
/* Has the device attend to the keys of one KV head, and checks what comes out. */
#include <stdio.h>

#include "attention.h"
#include "board.h"
#include "decode_commands.h"
#include "petal_driver.h"

enum { RING_SLOTS = 7, SLOT_BYTES = 352, TABLE_ENTRIES = 32, COMPLETION_RECORDS = 8 };

/* What is tolerated of the largest input (2): sums of 256 weights and products in f32. */
static const double kTolerance = 2e-5;

static struct attention problem;
static _Alignas(16) uint8_t ring[RING_SLOTS * SLOT_BYTES];
static _Alignas(16) uint8_t table[TABLE_ENTRIES * PETAL_TENSOR_BYTES];
static _Alignas(16) uint8_t completions[COMPLETION_RECORDS * PETAL_COMPLETION_BYTES];

/* What has been measured and seen on the way. */
struct run {
  petal_device device;
  struct decode decode;
  uint64_t building_cycles; /* spent on descriptors, without doorbells and sleep */
  uint32_t completed;
  uint32_t failed;
};

static void give_up(const char *what, unsigned code) {
  printf("attention: %s (%u)\n", what, code);
  board_exit(1);
}

static petal_memory shared(void *memory) {
  const petal_memory both = {memory, (uintptr_t)memory};
  return both;
}

static void open_device(struct run *run) {
  const petal_config config = {
      .registers = (volatile void *)BOARD_PETAL,
      .ring = shared(ring),
      .ring_slots = RING_SLOTS,
      .slot_bytes = SLOT_BYTES,
      .table = shared(table),
      .table_entries = TABLE_ENTRIES,
      .completions = shared(completions),
      .completion_records = COMPLETION_RECORDS,
  };
  const petal_result result = petal_device_init(&run->device, &config);
  if (result != PETAL_DONE) give_up("the device cannot be opened", result);
  petal_interrupt_enable(&run->device, PETAL_INT_STATUS_COMPLETION_MASK | PETAL_INT_STATUS_ERROR_MASK);
  board_enable_wake_up();
}

static void collect_completions(struct run *run) {
  petal_completion completion;
  while (petal_next_completion(&run->device, &completion)) {
    ++run->completed;
    if (completion.status == PETAL_CAUSE_OK) continue;
    ++run->failed;
    printf("attention: entry %u failed with cause %u at address %#llx\n", (unsigned)completion.id,
           (unsigned)completion.status, (unsigned long long)completion.address);
  }
}

/* Sleeps until something has been completed since the last time. An interrupt that comes between the look and the
 * sleep is pending, so wfi does not sleep. */
static void wait_for_progress(struct run *run) {
  const uint32_t before = run->completed;
  while (run->completed == before) {
    board_sleep();
    petal_interrupt_clear(&run->device, PETAL_INT_STATUS_COMPLETION_MASK | PETAL_INT_STATUS_ERROR_MASK);
    collect_completions(run);
  }
}

/* Runs one step of building, once the ring has room for its commands, and tells the device. */
static void issue(struct run *run, uint32_t slots, petal_result (*build)(struct run *, uint32_t), uint32_t argument) {
  while (petal_free_slots(&run->device) < slots) wait_for_progress(run);
  const uint64_t begin = board_cycles();
  const petal_result result = build(run, argument);
  run->building_cycles += board_cycles() - begin;
  if (result != PETAL_DONE) give_up("a command cannot be built", result);
  petal_doorbell(&run->device);
}

static petal_result build_tensors(struct run *run, uint32_t unused) {
  (void)unused;
  return decode_prepare(&run->decode, &run->device, &problem);
}

static petal_result build_start(struct run *run, uint32_t unused) {
  (void)unused;
  return decode_start(&run->decode);
}

static petal_result build_tile(struct run *run, uint32_t tile) { return decode_tile(&run->decode, tile); }

static petal_result build_finish(struct run *run, uint32_t unused) {
  (void)unused;
  return decode_finish(&run->decode);
}

static void attend(struct run *run) {
  issue(run, 0, build_tensors, 0);
  issue(run, 4, build_start, 0);
  for (uint32_t tile = 0; tile < TILES; ++tile) issue(run, 2, build_tile, tile);
  issue(run, 3, build_finish, 0);
  while (run->completed < run->decode.commands) wait_for_progress(run);
}

static int report(const struct run *run, uint64_t elapsed_cycles) {
  const double error = attention_worst_error(&problem);
  const int passed = run->failed == 0 && error <= kTolerance;
  const unsigned long long dispatch = petal_register64(&run->device, PETAL_REG_COUNT_DISPATCH_CYCLES_LO);
  const unsigned long long bytes = petal_register64(&run->device, PETAL_REG_COUNT_LOGICAL_BYTES_LO);
  printf("attention O[0..3] = %.6f %.6f %.6f %.6f, worst error %.2g of %.2g, %s\n", (double)problem.out[0][0],
         (double)problem.out[0][1], (double)problem.out[0][2], (double)problem.out[0][3], error, kTolerance,
         passed ? "PASS" : "FAIL");
  printf("%u commands, %llu bytes: firmware built them in %llu cycles of %u MHz, the device paid %llu cycles of %u MHz "
         "for dispatch\n",
         (unsigned)run->decode.commands, bytes, (unsigned long long)run->building_cycles, BOARD_CPU_MHZ, dispatch,
         (unsigned)(run->device.capabilities.clock_khz / 1000));
  printf("from the first descriptor to the last completion: %llu cycles of %u MHz\n", (unsigned long long)elapsed_cycles,
         BOARD_CPU_MHZ);
  return passed;
}

int main(void) {
  static struct run run;
  attention_generate(&problem);
  open_device(&run);
  const uint64_t begin = board_cycles();
  attend(&run);
  const uint64_t elapsed = board_cycles() - begin;
  board_exit(report(&run, elapsed) ? 0 : 1);
}
