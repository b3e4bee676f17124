/* SPDX-License-Identifier: Apache-2.0 */
/* Has the device attend to the keys of one KV head, and checks what comes out. */
#include <stdio.h>

#include "attention.h"
#include "board.h"
#include "decode_commands.h"
#include "petal_driver.h"

#define INTERRUPTS (PETAL_INT_STATUS_IDLE_MASK | PETAL_INT_STATUS_ERROR_MASK)

/* The ring is too short for all commands, and its size no power of two, to show that neither matters. */
enum { RING_SLOTS = 7, SLOT_BYTES = 352, TABLE_ENTRIES = 32, COMPLETION_RECORDS = 8 };

/* Outputs are means of numbers up to 2: about 2^-24 of that for each of the 256 keys summed, if all errors
 * add up. */
static const double kTolerance = 3e-5;

static _Alignas(256) struct attention problem; /* whole bursts */
static _Alignas(16) uint8_t ring[RING_SLOTS * SLOT_BYTES];
static _Alignas(16) uint8_t table[TABLE_ENTRIES * PETAL_TENSOR_BYTES];
static _Alignas(16) uint8_t completions[COMPLETION_RECORDS * PETAL_COMPLETION_BYTES];

/* What has been measured and seen on the way. */
struct run {
  petal_device device;
  struct decode decode;
  uint64_t tensor_cycles;  /* spent on the tensor table */
  uint64_t command_cycles; /* spent on descriptors, without doorbells and sleep */
  uint64_t device_cycles;  /* from doorbells to the last completions */
  uint32_t completed;
  uint32_t failed;
};

static void give_up(const char* what, unsigned code) {
  printf("attention: %s %u\n", what, code);
  board_exit(1);
}

static petal_memory shared(void* memory) {
  const petal_memory both = {memory, (uintptr_t)memory};
  return both;
}

static void open_device(struct run* run) {
  const petal_config config = {
      .registers = (volatile void*)BOARD_PETAL,
      .ring = shared(ring),
      .ring_slots = RING_SLOTS,
      .slot_bytes = SLOT_BYTES,
      .table = shared(table),
      .table_entries = TABLE_ENTRIES,
      .completions = shared(completions),
      .completion_records = COMPLETION_RECORDS,
  };
  const petal_result result = petal_device_init(&run->device, &config);
  if (result != PETAL_DONE) give_up("the device cannot be opened, because of petal_result", result);
  petal_interrupt_enable(&run->device, INTERRUPTS);
  board_enable_wake_up();
}

static void collect_completions(struct run* run) {
  petal_completion completion;
  while (petal_next_completion(&run->device, &completion)) {
    ++run->completed;
    if (completion.status == PETAL_CAUSE_OK) continue;
    ++run->failed;
    printf("attention: entry %u failed with cause %u at address %#llx\n", (unsigned)completion.id,
           (unsigned)completion.status, (unsigned long long)completion.address);
  }
}

static void check_not_stopped(const struct run* run) {
  if ((petal_register(&run->device, PETAL_REG_STATUS) & PETAL_STATUS_STOPPED_MASK) != 0)
    give_up("an error has stopped the ring, of cause", petal_register(&run->device, PETAL_REG_ERROR_CAUSE));
}

/* Has the device execute what is in the ring, and sleeps until it has. An interrupt that comes between the
 * look and the sleep is pending, so that wfi does not sleep. */
static void execute(struct run* run) {
  const uint64_t begin = board_cycles();
  petal_doorbell(&run->device);
  while (run->completed < run->decode.commands) {
    board_sleep();
    petal_interrupt_clear(&run->device, INTERRUPTS);
    collect_completions(run);
    check_not_stopped(run);
  }
  run->device_cycles += board_cycles() - begin;
}

/* Has `build` put `commands` commands into the ring, after making room for them. */
static void issue(struct run* run, uint32_t commands, petal_result (*build)(struct run*, uint32_t),
                  uint32_t argument) {
  if (petal_free_slots(&run->device) < commands) execute(run);
  const uint64_t begin = board_cycles();
  const petal_result result = build(run, argument);
  run->command_cycles += board_cycles() - begin;
  if (result != PETAL_DONE) give_up("a command cannot be built, because of petal_result", result);
}

static petal_result build_start(struct run* run, uint32_t unused) {
  (void)unused;
  return decode_start(&run->decode);
}

static petal_result build_tile(struct run* run, uint32_t tile) {
  return decode_tile(&run->decode, tile);
}

static petal_result build_finish(struct run* run, uint32_t unused) {
  (void)unused;
  return decode_finish(&run->decode);
}

static void name_tensors(struct run* run) {
  const uint64_t begin = board_cycles();
  const petal_result result = decode_prepare(&run->decode, &run->device, &problem);
  run->tensor_cycles = board_cycles() - begin;
  if (result != PETAL_DONE) give_up("the tensors cannot be named, because of petal_result", result);
}

static void attend(struct run* run) {
  name_tensors(run);
  issue(run, 4, build_start, 0);
  for (uint32_t tile = 0; tile < TILES; ++tile) issue(run, 2, build_tile, tile);
  issue(run, 3, build_finish, 0);
  execute(run);
}

static int report(const struct run* run) {
  const double error = attention_worst_error(&problem);
  const int passed = run->failed == 0 && error <= kTolerance;
  const unsigned long long dispatch = petal_register64(&run->device, PETAL_REG_COUNT_DISPATCH_CYCLES_LO);
  const unsigned long long bytes = petal_register64(&run->device, PETAL_REG_COUNT_LOGICAL_BYTES_LO);
  printf("attention O[0..3] = %.6f %.6f %.6f %.6f, worst error %.2g of %.2g, %s\n", (double)problem.out[0][0],
         (double)problem.out[0][1], (double)problem.out[0][2], (double)problem.out[0][3], error, kTolerance,
         passed ? "PASS" : "FAIL");
  printf(
      "%u commands, %llu bytes; in cycles of %u MHz: the device pays %llu for dispatch; the firmware needs "
      "%llu to build "
      "them and %llu for the tensor table; the device works for %llu\n",
      (unsigned)run->decode.commands, bytes, BOARD_CPU_MHZ, dispatch, (unsigned long long)run->command_cycles,
      (unsigned long long)run->tensor_cycles, (unsigned long long)run->device_cycles);
  return passed;
}

int main(void) {
  static struct run run;
  attention_generate(&problem);
  open_device(&run);
  attend(&run);
  board_exit(report(&run) ? 0 : 1);
}
