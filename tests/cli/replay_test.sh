# SPDX-License-Identifier: Apache-2.0
#
# ADR-0064 test 7: a recorded command stream, replayed by another process, is the live run.
# shellcheck shell=bash

# live_and_replay SCENARIO SET...
live_and_replay() {
  local scenario=$1
  shift
  expect 0 run "$configs/$scenario.yaml" --set "$@" --record rec --op-log live.csv --summary live.json --quiet
  expect 0 replay rec --op-log replay.csv --summary replay.json --quiet
  same live.csv replay.csv
  # A recording does not know the tiles of its kernel, so what is counted per tile stays out.
  has replay.json "$(grep -m 1 '"time_ps"' live.json)"
  sed -n '/"pes": \[/,$p' live.json >live.pes
  sed -n '/"pes": \[/,$p' replay.json >replay.pes
  same live.pes replay.pes
}

test_a_replay_writes_the_op_log_of_the_live_run() {
  local kernel
  for kernel in opt1 opt2 opt3 three_composites; do
    live_and_replay llama3_8b_decode platform.pes=2 q_heads=8 kv_heads=2 kv_len=144 "kernel=gqa_decode_$kernel"
  done
  live_and_replay llama3_8b_decode platform.pes=1 kv_heads=1 q_heads=4 kv_len=144 max_composite_logical_bytes=68
  live_and_replay llama3_8b_decode_no_await platform.pes=1 kv_heads=1 q_heads=4 kv_len=144
  live_and_replay llama3_8b_decode_shared_hbm platform.pes=3 q_heads=8 kv_heads=4 kv_len=100
  live_and_replay gemm_worked_example platform.pes=2
}

test_a_replay_takes_another_cost_model() {
  expect 0 run "$configs/gemm_worked_example.yaml" --record rec --quiet
  expect 0 replay rec --set fixed_per_cmd_cycles=0 byte_cycles_recip=0
  has out '587,000 ps' # 630,375 without the 43,375 of the one dispatch
}

# A recording that was tampered with is refused before anything runs, or it could wait for ever (F07, F47).
test_a_damaged_recording_exits_2() {
  expect 0 run "$configs/gemm_worked_example.yaml" --record rec --quiet
  head -c -20 rec >cut.rec
  expect_error 2 'cut.rec' replay cut.rec
  sed 's/"steps":1/"steps":2/' rec >wait.rec
  printf '{"step":"wait","completions":[99]}\n' >>wait.rec
  expect_error 2 'wait.rec|99' replay wait.rec
  expect_error 2 'gemm.yaml' replay "$configs/gemm.yaml"
}
