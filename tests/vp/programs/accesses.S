# SPDX-License-Identifier: Apache-2.0
#include "test_program.h"
.globl _start
_start:
  lui s0, 0x10000           # instruction 0: the device
  lui a0, 0x11223           # 1
  addi a0, a0, 0x344        # 2
  sd a0, 0(s0)              # 3
  sw a0, 8(s0)              # 4
  nop                       # 5
  sh a0, 12(s0)             # 6
  sb a0, 14(s0)             # 7
  ld a1, 16(s0)             # 8: a read returns the address, in each of its 8-byte words
  lw a2, 24(s0)             # 9
  lhu a3, 32(s0)            # 10
  lb a4, 40(s0)             # 11
  finish
