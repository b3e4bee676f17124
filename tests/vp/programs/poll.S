# SPDX-License-Identifier: Apache-2.0
# Reads a word of memory until it changes, asking the device in between.
#include "test_program.h"
.globl _start
_start:
  li s0, DEVICE
  la s1, word
1:
  lw t0, 0(s0)
  ld a0, 0(s1)
  beqz a0, 1b
  sd a0, 8(s0)
  finish
.balign 4096
.globl word
word:
  .dword 0
  .space 4088
