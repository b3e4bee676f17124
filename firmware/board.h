/* SPDX-License-Identifier: Apache-2.0 */
/* The virtual platform as its firmware sees it: where things are, the console, the clock, sleep, and the way
 * out. */
#ifndef PETAL_BOARD_H
#define PETAL_BOARD_H

#include <stdint.h>

/* As in sc_main/vp_platform.hpp. */
#define BOARD_FINISHER 0x00100000u
#define BOARD_UART 0x10000000u
#define BOARD_PETAL 0x40000000u
#define BOARD_RAM 0x80000000u

/* The CPU's clock, which board_cycles() counts. */
#define BOARD_CPU_MHZ 1000u

/* Cycles since the start. */
static inline uint64_t board_cycles(void) {
  uint64_t cycles;
  __asm__ volatile("rdcycle %0" : "=r"(cycles));
  return cycles;
}

/* Lets wfi wake on the device's interrupt. No trap is taken: whoever wakes looks for itself. */
void board_enable_wake_up(void);

/* Sleeps until the device's interrupt line is high. */
static inline void board_sleep(void) {
  __asm__ volatile("wfi" ::: "memory");
}

/* Ends the simulation; 0 is success. */
_Noreturn void board_exit(unsigned code);

#endif
