# SPDX-License-Identifier: Apache-2.0
#
# The systolic GEMM model, seen from outside.
# shellcheck shell=bash

scale_sim=$(dirname "$configs")/tests/data/systolic/scalesim_gemm.csv
product=$configs/systolic_gemm.yaml
array=platform.pe.attrs.pe_gemm

# gemm_busy FILE: engines.gemm.busy_ps of a summary's first PE.
gemm_busy() {
  sed -n '/"engines": {/,$p' "$1" | sed -n '/"gemm": {/,$p' | sed -n 's/.*"busy_ps": \([0-9]*\).*/\1/p;T;q'
}

# shorten_gemm LOG BY: the log, with each GEMM stage ending that much earlier.
shorten_gemm() {
  awk -F, -v OFS=, -v by="$2" '$6 == "GEMM" { $14 -= by; $15 -= by } { print }' "$1"
}

# A published model of such arrays, run for the same products. It numbers cycles from 0 and reports the last one.
test_one_product_is_busy_for_one_cycle_more_than_scale_sim_counts() {
  local m k n rows cols dataflow cycles count=0
  while IFS=, read -r m k n rows cols dataflow cycles; do
    [[ $m == M ]] && continue
    expect 0 run "$product" --set "gemm.m=$m" "gemm.k=$k" "gemm.n=$n" \
      --set "$array.rows=$rows" "$array.cols=$cols" "$array.dataflow=$dataflow" --summary summary.json --quiet
    [[ $(gemm_busy summary.json) == $((1000 * (cycles + 1))) ]] ||
      fail "$m x $k x $n on $rows x $cols $dataflow: $(gemm_busy summary.json) ps, SCALE-Sim has $cycles cycles"
    count=$((count + 1))
  done <"$scale_sim"
  [[ $count -eq 72 ]] || fail "$count products were run"
}

# 171396 rows are 1340 folds of 128: (27 + 128 + 128 - 2) cycles each.
test_a_product_is_one_tile_however_large_it_is() {
  expect 0 run "$product" --set gemm.m=171396 gemm.k=27 gemm.n=32 dataflow=os --summary summary.json --quiet
  [[ $(gemm_busy summary.json) == 376540000 ]] || fail "$(gemm_busy summary.json)"
  # 1048576 x 4000 x 1048576 on 128 x 128: 32 x 8192 folds of (1048576 + 256 + 128 - 2).
  expect 0 run "$product" --set gemm.m=1048576 gemm.k=4000 gemm.n=1048576 --summary summary.json --op-log log.csv --quiet
  [[ $(gemm_busy summary.json) == 274978045952000 ]] || fail "$(gemm_busy summary.json)"
  expect 0 check log.csv
}

# 1024 x 1024 x 1024 on 128 x 128: 64 folds of (1024 + 128 + 128 - 2), and one load of 128.
test_a_preload_can_be_overlapped() {
  expect 0 run "$product" --set preload=overlapped --summary summary.json --quiet
  [[ $(gemm_busy summary.json) == 81920000 ]] || fail "$(gemm_busy summary.json)"
  expect_error 2 'preload|dataflow' run "$product" --set preload=overlapped dataflow=os
}

test_keys_of_the_other_model_are_refused() {
  expect_error 2 '--set|m_quantum|16|throughput' run "$product" --set m_quantum=16
  expect_error 2 '--set|pe_gemm.rows|systolic' run "$configs/gemm.yaml" --set rows=32
  expect 0 run "$product" --set gemm.m=64 pe_gemm.model=throughput --quiet
}

test_check_finds_a_fold_sequence_that_is_too_short() {
  local dataflow preload
  for dataflow in os ws is; do
    for preload in exposed overlapped; do
      [[ $dataflow == os && $preload == overlapped ]] && continue
      expect 0 run "$product" --set gemm.m=100 gemm.k=300 gemm.n=77 rows=32 cols=16 \
        "dataflow=$dataflow" "preload=$preload" --op-log log.csv --quiet
      expect 0 check log.csv
      shorten_gemm log.csv 1000 >bad.csv
      expect 5 check bad.csv
      has out 'duration' "on 32 x 16 $dataflow"
    done
  done
}

# Tiles with ragged edges, tile-scoped ops, transposed and mixed operands; PEs with models of their own.
test_every_kernel_runs_on_an_array_and_passes_the_check() {
  local kernel
  for kernel in opt1 opt2 opt3 three_composites; do
    expect 0 run "$configs/llama3_8b_decode.yaml" --kernel "$kernel" --op-log log.csv --quiet \
      --set kv_len=144 platform.pes=2 q_heads=8 kv_heads=2 pe_gemm.model=systolic rows=16 cols=24 dataflow=ws \
      preload=overlapped
    expect 0 check log.csv
    shorten_gemm log.csv 1000 >bad.csv
    expect 5 check bad.csv
  done
  cat >mixed.yaml <<'Y'
kernel: gemm
gemm: {m: 100, k: 130, n: 80}
platform:
  pe: {attrs: {pe_gemm: {model: systolic, rows: 8}}}
  pes: [{}, {attrs: {pe_gemm: {model: throughput, m_quantum: 16}}}, {attrs: {pe_gemm: {rows: 64, dataflow: is}}}]
Y
  expect 0 run mixed.yaml --op-log log.csv --quiet
  expect 0 check log.csv
  sed -n 's/^# config: //p' log.csv >again.yaml
  expect 0 run again.yaml --op-log again.csv --quiet
  same log.csv again.csv
}

# A recording is of commands, and runs on any array.
test_a_replay_takes_another_gemm_model() {
  expect 0 run "$configs/gemm_worked_example.yaml" --record rec --quiet
  expect 0 replay rec --set pe_gemm.model=systolic rows=32 cols=32 dataflow=ws --op-log replay.csv --quiet
  expect 0 run "$configs/gemm_worked_example.yaml" --set pe_gemm.model=systolic rows=32 cols=32 dataflow=ws \
    --op-log live.csv --quiet
  same live.csv replay.csv
}
