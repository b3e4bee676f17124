# SPDX-License-Identifier: Apache-2.0
#
# petal calibrate.
# shellcheck shell=bash

# ADR-0064's costs: 40 + bytes / 16.
test_calibrate_writes_a_preset_that_scenarios_can_use() {
  printf '# measured\nlogical_bytes,ns\n54,43.375\n58,43.625\n322,60.125\n' >bench.csv
  expect 0 calibrate bench.csv --no-plot
  has out 'FIXED              40 cycles' 'R                  0.0625 cycles/byte' 'R^2                1' bench.preset.yaml
  [[ -s bench.preset.gp ]] || fail "there is no gnuplot script"
  expect 0 config bench.preset.yaml
  has out 'fixed_per_cmd_cycles: 40' 'byte_cycles_recip: 0.0625'
  expect 0 calibrate bench.csv --no-plot --clock-ghz 2 --out twice.yaml --json
  has out '"fixed_per_cmd_cycles": 80' '"preset": "twice.yaml"'
  has twice.yaml 'byte_cycles_recip: 0.125' '2 GHz'
}

test_calibrate_draws_measurements_and_fit() {
  printf '54,43.375\n322,60.125\n' >bench.csv
  PATH=/nowhere expect 0 calibrate bench.csv
  has err 'there is no gnuplot'
  command -v gnuplot >/dev/null || return 0
  expect 0 calibrate bench.csv
  has out bench.preset.svg bench.preset.png
  has bench.preset.svg '<svg' measured fitted
}

test_calibrate_refuses_what_it_cannot_fit() {
  printf '54,43\n54,nan\nx,1\n' >bad.csv
  expect 2 calibrate bad.csv
  has err 'bad.csv:2: ns' 'bad.csv:3: logical_bytes'
  printf '54,43\n54,44\n' >one.csv
  expect_error 2 'all commands have 54 bytes|two sizes' calibrate one.csv
  printf '10,50\n20,40\n' >falling.csv
  expect_error 2 'R comes out negative|wider range' calibrate falling.csv
  printf '10,5\n20,15\n' >steep.csv
  expect_error 2 'FIXED comes out negative|smaller commands' calibrate steep.csv
  expect_error 2 'nothing.csv' calibrate nothing.csv
  printf '54,43.375\n322,60.125\n' >good.csv
  expect_error 2 'clock-ghz|above 0' calibrate good.csv --clock-ghz 0
  [[ -z $(find . -name '*.preset.*') ]] || fail "a preset was written for what has no fit"
}
