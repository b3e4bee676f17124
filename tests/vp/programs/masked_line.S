# SPDX-License-Identifier: Apache-2.0
# The line is high from the start; the trap comes when it is unmasked, before the next instruction.
#include "test_program.h"
.globl _start
_start:
  la t0, handler
  csrw mtvec, t0
  li s0, DEVICE
  li t0, MIE_MEIE
  csrsi mstatus, MSTATUS_MIE
  addi a0, a0, 1
  csrw mie, t0
unmasked:
  addi a0, a0, 16
  j .
.align 2
handler:
  csrr t1, mepc
  la t2, unmasked
  sub t1, t1, t2
  sd t1, 0(s0)
  sd a0, 8(s0)
  finish
