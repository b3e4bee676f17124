# SPDX-License-Identifier: Apache-2.0
# Sleeps with its interrupt disabled: nothing can wake it.
.globl _start
_start:
  wfi
  j _start
