# SPDX-License-Identifier: Apache-2.0
#
# What the program writes, and where.
# shellcheck shell=bash

small=(--set platform.pes=1 q_heads=4 kv_heads=1 kv_len=144)

# A log holds what made it: version and every value of the configuration, as a scenario.
test_an_op_log_can_be_made_again_from_itself() {
  expect 0 run "$configs/llama3_8b_decode.yaml" "${small[@]}" clock_freq_ghz=1.3 --op-log log.csv --quiet
  expect 0 --version
  has log.csv "# version: $(cat out)"
  sed -n 's/^# config: //p' log.csv >again.yaml
  expect 0 run again.yaml --op-log again.csv --quiet
  same log.csv again.csv
  expect 0 check again.csv
}

test_the_effective_config_is_a_scenario() {
  expect 0 config "$configs/llama3_8b_decode.yaml" "${small[@]}"
  cp out effective.yaml
  expect 0 run "$configs/llama3_8b_decode.yaml" "${small[@]}" --op-log one.csv --quiet
  expect 0 run effective.yaml --op-log two.csv --quiet
  same one.csv two.csv
}

test_the_op_log_has_the_documented_columns() {
  expect 0 run "$configs/gemm_worked_example.yaml" --op-log log.csv --quiet
  local columns
  columns=$(sed -n '/^#/!{p;q}' log.csv)
  [[ $columns == seq,pe,event,cmd,op,kind,engine,tile_m,tile_n,tile_k,bytes,elements,start_ps,end_ps* ]] ||
    fail "the header is $columns"
  local name
  for name in busy_end_ps op_index segment logical_bytes cycles reads writes waits_on; do
    [[ ",$columns," == *",$name,"* ]] || fail "there is no column $name"
  done
}

# The scenario's key `compare` names the kernels, and --kernels wins over it.
test_compare_runs_the_kernels_it_is_told() {
  expect 0 compare "$configs/llama3_8b_decode.yaml" "${small[@]}" 'compare=[opt2,opt1]'
  has out 'gqa_decode_opt2  gqa_decode_opt1'
  ! grep -q opt3 out || fail "opt3 runs too"
  expect 0 compare "$configs/llama3_8b_decode.yaml" "${small[@]}" 'compare=[opt2,opt1]' --kernels opt3
  has out gqa_decode_opt3
  ! grep -q opt2 out || fail "opt2 runs too"
}

# Every kernel's log of a comparison passes the check.
test_compare_writes_a_log_for_each_kernel() {
  expect 0 compare "$configs/llama3_8b_decode.yaml" "${small[@]}" --op-log log.csv --summary compare.json --quiet
  [[ ! -s out ]] || fail "--quiet prints"
  local kernel
  for kernel in opt1 opt2 opt3; do
    expect 0 check "log.gqa_decode_$kernel.csv"
    has compare.json "gqa_decode_$kernel"
  done
}

test_json_is_the_summary_file() {
  expect 0 run "$configs/gemm_worked_example.yaml" --json --summary summary.json
  same out summary.json
  has out '"schema": 1' '"time_ps": 630375' '"verdict"' '"dispatch"' '"queue_full_ps"' '"macs": 276480' '"config"'
}

# In a pipe there is no progress bar, however long a run takes.
test_a_pipe_gets_nothing_but_the_result() {
  expect 0 run "$configs/llama3_8b_decode.yaml" --kernel opt1
  [[ ! -s err ]] || fail "there is something on standard error"
  expect 0 run "$configs/llama3_8b_decode.yaml" --kernel opt1 --quiet
  [[ ! -s out && ! -s err ]] || fail "--quiet prints"
}

# SPEC 1.1: the costs of opt2's two composites, byte by byte.
test_explain_shows_what_each_command_costs() {
  expect 0 explain "$configs/llama3_8b_decode.yaml" "${small[@]}" kv_len=128
  has out '40 + 58 x 0.0625 = 43.625' '40 + 322 x 0.0625 = 60.125' '(issued 2 x)'
  # Of each command the fields' bytes add up to what its last line charges.
  awk '/^#/ { sum = 0; entries++ }
       $2 == "B" && $3 != "dispatch" { sum += $1 }
       $2 == "B" && $3 == "dispatch" { if (sum != $1) bad++ }
       END { exit !(entries >= 5 && bad == 0) }' out || fail "the fields do not add up"
  expect 0 explain "$configs/llama3_8b_decode.yaml" "${small[@]}" --kernel opt2 --json
  has out '"logical_bytes": 322' '"dispatch_cycles": 60.125'
}

test_list_names_what_there_is() {
  expect 0 list
  has out gemm_load_ref gqa_decode_opt1 gqa_decode_opt2 gqa_decode_opt3 gqa_decode_three_composites llama3.1-8b \
    softmax_merge
  local scenario
  for scenario in "$configs"/*.yaml "$configs"/studies/*.yaml; do has out "$(basename "$scenario")"; done
  expect 0 list --json
  has out '"kernels"' '"models"' '"recipes"' '"dispatch_presets"' '"scenarios"' '"studies"'
}

test_config_without_a_scenario_documents_every_key() {
  expect 0 config
  has out fixed_per_cmd_cycles byte_cycles_recip max_composite_logical_bytes auto_await queue_bytes max_in_flight \
    tile_buffers gb_per_s_per_channel cycles/byte 0.0625
}

# ADR-0064 test 3, and F39 seen from outside: FIXED 80 adds 40 cycles to the one command.
test_set_overrides_the_scenario() {
  expect 0 run "$configs/gemm_worked_example.yaml" --set fixed_per_cmd_cycles=80 --json
  has out '"fixed_per_cmd_cycles": 80' '"cycles": 83.375' '"time_ps": 670375'
}

test_the_registers_are_listed() {
  expect 0 registers
  has out DOORBELL 'RW locked' RW1C LOCKED_REGISTER
  expect 0 registers --c-header
  has out '#define PETAL_REG_DOORBELL'
  expect 0 registers --markdown
  has out '# Registers of the device'
}
