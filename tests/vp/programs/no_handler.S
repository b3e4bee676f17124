# SPDX-License-Identifier: Apache-2.0
.globl _start
_start:
  nop
  .word 0xffffffff
