# SPDX-License-Identifier: Apache-2.0
#
# Addresses of the test platform (cpu_bench.hpp), and the way out.
.equ DEVICE, 0x10000000
.equ FINISHER, 0x100000
.equ MSTATUS_MIE, 8
.equ MIE_MEIE, 0x800

# Ends the simulation with exit code 0. Takes lui, lui, addiw: its store is the fourth instruction.
.macro finish
  li t0, FINISHER
  li t1, 0x5555
  sw t1, 0(t0)
9:
  wfi
  j 9b
.endm
