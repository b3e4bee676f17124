# SPDX-License-Identifier: Apache-2.0
.globl _start
_start:
  j _start
