# SPDX-License-Identifier: Apache-2.0
#
# F26: nothing depends on addresses, hash seeds, the folder, the environment or the outputs that are asked for.
# shellcheck shell=bash

# Eight PEs, 16 tiles of two composites each, 20 processes with their addresses randomised.
test_twenty_processes_write_one_op_log() {
  local scenario
  for scenario in llama3_8b_decode llama3_8b_decode_shared_hbm; do
    expect 0 run "$configs/$scenario.yaml" --set kv_len=1024 --op-log first.csv --quiet
    for _ in $(seq 20); do
      expect 0 run "$configs/$scenario.yaml" --set kv_len=1024 --op-log next.csv --quiet
      same first.csv next.csv
    done
    expect 0 check first.csv
  done
}

test_environment_and_other_outputs_change_nothing() {
  local small=(--set platform.pes=1 q_heads=4 kv_heads=1 kv_len=144)
  expect 0 run "$configs/llama3_8b_decode.yaml" "${small[@]}" --op-log plain.csv --quiet
  mkdir -p elsewhere
  (cd elsewhere && env -i LC_ALL=C.UTF-8 TZ=Asia/Seoul "$petal" run "$configs/llama3_8b_decode.yaml" "${small[@]}" \
    --op-log ../elsewhere.csv --record rec --summary summary.json --json >/dev/null)
  same plain.csv elsewhere.csv
  expect 0 compare "$configs/llama3_8b_decode.yaml" "${small[@]}" --op-log side.csv --quiet
  same plain.csv side.gqa_decode_opt2.csv
}
