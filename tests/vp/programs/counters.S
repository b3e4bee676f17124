# SPDX-License-Identifier: Apache-2.0
#include "test_program.h"
.globl _start
_start:
  rdcycle a0                # instruction 0
  nop                       # 1
  nop                       # 2
  rdcycle a1                # 3
  rdinstret a2              # 4
  csrr a3, mcycle           # 5
  finish
