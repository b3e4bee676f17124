# SPDX-License-Identifier: Apache-2.0
# Writes 512 numbers to memory, over more than a page, reads them back and sums them; misaligned ones too. Tells the
# device the sums and its cycle count.
#include "test_program.h"
.globl _start
_start:
  li s0, DEVICE
  la s1, numbers
  li t0, 512
  mv t1, s1
1:
  sd t0, 0(t1)
  addi t1, t1, 8
  addi t0, t0, -1
  bnez t0, 1b
  li t0, 511
  mv t1, s1
2:
  ld t2, 0(t1)
  add a0, a0, t2
  ld t2, 3(t1)              # crosses pages on the way
  xor a1, a1, t2
  addi t1, t1, 8
  addi t0, t0, -1
  bnez t0, 2b
  li t2, 5
  amoadd.d a2, t2, (s1)
  ld a3, 0(s1)
  sd a0, 0(s0)
  sd a1, 8(s0)
  sd a2, 16(s0)
  sd a3, 24(s0)
  rdcycle a4
  sd a4, 32(s0)
  finish
.balign 4096
.space 4000
numbers:
  .space 4096
