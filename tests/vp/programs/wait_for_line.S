# SPDX-License-Identifier: Apache-2.0
# Sleeps with interrupts masked: the line wakes, no trap follows.
#include "test_program.h"
.globl _start
_start:
  lui s0, 0x10000           # instruction 0
  lui t0, 1                 # 1
  addi t0, t0, -2048        # 2
  csrw mie, t0              # 3
  wfi                       # 4
  sw t0, 0(s0)              # the first after the sleep
  wfi                       # the line is still high: goes on at once
  sw t0, 4(s0)
  finish
