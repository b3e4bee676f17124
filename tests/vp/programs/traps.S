# SPDX-License-Identifier: Apache-2.0
# Exceptions go to the handler, which reports each cause and steps over the instruction.
#include "test_program.h"
.globl _start
_start:
  la t0, handler
  csrw mtvec, t0
  li s0, DEVICE
  ecall
.option norvc
  ebreak
.option rvc
  .word 0xffffffff
  finish
.align 2
handler:
  csrr t1, mcause
  sd t1, 0(s0)
  csrr t1, mepc
  addi t1, t1, 4
  csrw mepc, t1
  mret
