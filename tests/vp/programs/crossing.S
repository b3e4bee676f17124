# SPDX-License-Identifier: Apache-2.0
# Stores 8 bytes of which 3 lie in one page and 5 in the next, and loads them again.
#include "test_program.h"
.globl _start
_start:
  li s0, DEVICE
  li s1, 0x80001ffd
  li a0, 0x0807060504030201
  sd a0, 0(s1)
  ld a1, 0(s1)
  sd a1, 0(s0)
  finish
