# SPDX-License-Identifier: Apache-2.0
#
# What the programs of project/ have to print, however they were built. To be sourced.
export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1

fail() { printf '%s\n' "$*" >&2; exit 1; }

# Runs "$@", whose output, kept in the file $1, is shown if it fails.
quietly() {
  local log=$1
  shift
  "$@" >"$log" 2>&1 || { cat "$log" >&2; fail "failed: $*"; }
}

# expect_failure LOG TEXT COMMAND...: the command fails and says TEXT, wherever its lines are broken.
expect_failure() {
  local log=$1 text=$2
  shift 2
  ! "$@" >"$log" 2>&1 || fail "does not fail: $*"
  tr '\n' ' ' <"$log" | tr -s ' ' | grep -qF "$text" || { cat "$log" >&2; fail "does not say '$text': $*"; }
}

# expect_output PROGRAM LINE...
expect_output() {
  local program=$1 output line
  shift
  output=$("$program") || fail "$program fails: $output"
  for line in "$@"; do
    grep -qxF "$line" <<<"$output" || fail "$program prints '$output' and not '$line'"
  done
}

# With the default tiles of 32 x 64 x 32 there are 2 x 2 output tiles of 2 steps: A tiles of 4096 and B tiles of 4096
# bytes in 8 steps, and 4 C tiles of 4096 bytes: 8 x 8192 + 4 x 4096 = 81920.
expect_bare_pe() { expect_output "$1" "petal 0.1.0: 81920 bytes, finished: yes"; }

# [1 2 3; 4 5 6] [1 0; 0 1; 1 1] = [4 5; 10 11], and that by itself [66 75; 150 171]. The other device:
# [2 0 0; 0 0 1] [1 0; 0 1; 1 1] = [2 0; 1 1], and that by itself [4 0; 3 1]. A composite of one GEMM is 4 + 1 + 8 + 1 + 40 =
# 54 bytes, and takes 40 + 54 / 16 cycles, or 10 + 54 / 16: two of them 86.75, and 26.75.
expect_device() {
  expect_output "$1" \
    "first_software: C 4 5 10 11, D 66 75 150 171, 2 commands, 0 failed, 108 bytes, 86 cycles, interrupt threshold, then low" \
    "second_software: C 2 0 1 1, D 4 0 3 1, 2 commands, 0 failed, 108 bytes, 26 cycles, interrupt threshold, then low" \
    "the platform's settings are kept"
}
