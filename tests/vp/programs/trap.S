# SPDX-License-Identifier: Apache-2.0
# Counts in a loop until an interrupt, whose handler tells the device where it came from and turns the line off.
#include "test_program.h"
.globl _start
_start:
  la t0, handler
  csrw mtvec, t0
  li t0, MIE_MEIE
  csrw mie, t0
  li s0, DEVICE
  li s1, 0
  csrsi mstatus, MSTATUS_MIE
loop:
  addi a0, a0, 1
  beqz s1, loop
  sd a0, 32(s0)
  finish
.align 2
handler:
  csrr t1, mepc
  sd t1, 0(s0)
  csrr t1, mcause
  sd t1, 8(s0)
  csrr t1, mstatus
  sd t1, 16(s0)
  csrr t1, mip
  sd t1, 24(s0)
  sd zero, 64(s0)           # acknowledges: the line goes low
  li s1, 1
  mret
