# SPDX-License-Identifier: Apache-2.0
# Has a byte where the platform has no memory.
.globl _start
_start:
  nop
.section .outside, "aw"
  .byte 1
