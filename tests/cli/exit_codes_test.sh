# SPDX-License-Identifier: Apache-2.0
#
# SPEC 10: 0 done; 2 usage or config; 3 emit error; 4 the simulated system failed; 5 a check found violations. Every
# failure is one line that says what to do.
# shellcheck shell=bash

test_a_run_that_is_done_exits_0() {
  expect 0 run "$configs/gemm_worked_example.yaml"
  has out 'time' '630,375 ps' 'verdict'
  [[ ! -s err ]] || fail "there is something on standard error"
  expect 0 compare "$configs/llama3_8b_decode.yaml" --set kv_len=128 --kernels opt1,opt2,opt3
  has out gqa_decode_opt1 gqa_decode_opt2 gqa_decode_opt3 'dispatch cycles a tile' 585.875 103.750 423.250
  expect 0 --version
  expect 0 --help
}

test_usage_errors_exit_2() {
  expect_error 2 'subcommand'
  expect_error 2 'subcommand' frobnicate
  expect_error 2 'scenario' run
  expect_error 2 'c-header|markdown' registers --c-header --markdown
  expect_error 2 '--frobnicate' run "$configs/gemm.yaml" --frobnicate
  expect_error 2 "kernel 'gqa_decode_opt9'|gqa_decode_opt" run "$configs/gemm.yaml" --kernel gqa_decode_opt9
}

test_files_that_cannot_be_used_exit_2() {
  expect_error 2 'nothing.yaml|no such file' run nothing.yaml
  expect_error 2 'directory' run .
  expect_error 2 'nothing.log' check nothing.log
  expect_error 2 'nothing.rec' replay nothing.rec
  expect_error 2 "nowhere/log.csv" run "$configs/gemm_worked_example.yaml" --op-log nowhere/log.csv
  expect_error 2 "nowhere/summary.json" run "$configs/gemm_worked_example.yaml" --summary nowhere/summary.json
  expect_error 2 "nowhere/rec" run "$configs/gemm_worked_example.yaml" --record nowhere/rec
}

# The GEMM of opt2's second composite and its add are 68 bytes. Eight PEs find that out at once; it is told once.
test_an_emit_error_exits_3() {
  expect_error 3 'composite|68|64|max_composite_logical_bytes' \
    run "$configs/llama3_8b_decode.yaml" --set max_composite_logical_bytes=64 kv_len=64
}

# F41: O alone, 4 x 128 f32, and the scores of a tile do not fit.
test_a_tcm_that_is_too_small_exits_3() {
  expect_error 3 'scratch|4096' run "$configs/llama3_8b_decode.yaml" --set tcm.arena_bytes=4096 kv_len=64
}

# A recording runs on another platform than it was made for: with less memory, without an engine.
test_a_failure_of_the_simulated_system_exits_4() {
  expect 0 run "$configs/gemm_worked_example.yaml" --record rec --quiet
  # B lies at 0x2000 and ends at 0x5600.
  expect_error 4 'command 1|CompositeCmd|0x2000|ADDRESS_ERROR|hbm.capacity' \
    replay rec --set hbm.capacity=16384
  expect_error 4 'command 1|GEMM|engines' replay rec --set 'platform.pe.engines=[dma,fetch_store,math]'
}

# The log of a failing run is the one that is needed.
test_a_failing_run_leaves_its_op_log() {
  expect 0 run "$configs/gemm_worked_example.yaml" --record rec --quiet
  expect_error 4 'ADDRESS_ERROR' replay rec --set hbm.capacity=16384 --op-log log.csv
  has log.csv '# petal op_log 1' ',dispatch,1,' ',DMA_READ,'
}

test_a_check_that_finds_violations_exits_5() {
  expect 0 run "$configs/gemm_worked_example.yaml" --op-log log.csv --quiet
  expect 0 check log.csv
  has out 'no violations'
  # The command cost an eighth of a cycle more than 40 + 54 / 16.
  sed 's/,43\.375,/,43.5,/' log.csv >bad.csv
  expect 5 check bad.csv
  has out 'dispatch' '43.375'
  # A FETCH begins a picosecond before its DMA_READ has arrived.
  sed 's/,FETCH,fetch,0,0,0,4096,0,164375,/,FETCH,fetch,0,0,0,4096,0,164374,/' log.csv >early.csv
  expect 5 check early.csv
  expect 5 check "$configs/gemm.yaml"
  expect 5 check bad.csv --quiet
  [[ ! -s out ]] || fail "--quiet prints"
}
