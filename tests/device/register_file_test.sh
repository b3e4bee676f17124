#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
#   register_file_test.sh PETAL OPTION FILE
#
# FILE is what `PETAL registers OPTION` prints.
set -euo pipefail
if ! "$1" registers "$2" | diff -u "$3" -; then
  echo "$3 is not what the register map says; write it anew with: petal registers $2 >$3" >&2
  exit 1
fi
