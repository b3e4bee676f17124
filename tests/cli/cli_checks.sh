# SPDX-License-Identifier: Apache-2.0
#
# What the tests of the program are written with. `$petal` is the program, `$configs` the shipped scenarios; a test
# runs in an empty folder. Any check that fails ends the test.
# shellcheck shell=bash

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  cat asan.* >&2 2>/dev/null || true
  exit 1
}

# expect CODE ARGUMENT...: runs petal; its output goes to the files `out` and `err`.
expect() {
  local wanted=$1 code=0
  shift
  "$petal" "$@" >out 2>err </dev/null || code=$?
  if [[ $code -ne $wanted ]]; then
    head -20 out err >&2
    fail "petal $* exits with $code, not $wanted"
  fi
}

# has FILE TEXT...: the file mentions each.
has() {
  local file=$1 text
  shift
  for text in "$@"; do
    grep -qF -- "$text" "$file" || { head -20 "$file" >&2; fail "$file does not mention: $text"; }
  done
}

# expect_error CODE "TEXT|TEXT..." ARGUMENT...: petal fails with one line on standard error, which mentions each text,
# and prints nothing on standard output.
expect_error() {
  local code=$1 texts
  IFS='|' read -r -a texts <<<"$2"
  shift 2
  expect "$code" "$@"
  [[ $(wc -l <err) -eq 1 ]] || { cat err >&2; fail "petal $*: standard error is not one line"; }
  [[ ! -s out ]] || { cat out >&2; fail "petal $*: standard output is not empty"; }
  has err 'petal: ' "${texts[@]}"
}

same() { cmp "$1" "$2" || fail "$1 and $2 differ"; }

# scenario FILE: writes standard input there, behind a small piece of work.
scenario() {
  { printf 'kernel: gqa_decode_opt2\nq_heads: 4\nkv_heads: 1\nhead_dim: 16\nkv_len: 24\ntile: 8\n'; cat; } >"$1"
}
