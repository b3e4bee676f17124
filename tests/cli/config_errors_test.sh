# SPDX-License-Identifier: Apache-2.0
#
# Configuration that is wrong stops the program before it runs anything, with file, line, key, value and what is
# allowed.
# shellcheck shell=bash

# F04: a misspelt key is never the default without a word.
test_a_misspelt_key_names_file_line_and_the_nearest_key() {
  scenario typo.yaml <<'Y'
platform:
  pe:
    attrs:
      pe_cost_model: {fixed_per_cmd_cycle: 400}
Y
  expect_error 2 'typo.yaml:10|fixed_per_cmd_cycle|fixed_per_cmd_cycles' run typo.yaml
  scenario group.yaml <<'Y'
platform: {pe: {attrs: {pe_costmodel: {fixed_per_cmd_cycles: 400}}}}
Y
  expect_error 2 'group.yaml:7|pe_costmodel|pe_cost_model' run group.yaml
  scenario level.yaml <<'Y'
platform: {pe: {pe_cost_model: {fixed_per_cmd_cycles: 400}}}
Y
  expect_error 2 'level.yaml:7|pe_cost_model|platform.pe.attrs.pe_cost_model' run level.yaml
  scenario case.yaml <<'Y'
platform: {pe: {attrs: {Clock_freq_ghz: 2}}}
Y
  expect_error 2 'case.yaml:7|Clock_freq_ghz|clock_freq_ghz' run case.yaml
  expect_error 2 '--set|fixed_per_cmd_cycle' run "$configs/gemm.yaml" --set fixed_per_cmd_cycle=400
}

# F03, F08.
test_a_value_that_is_no_time_is_refused() {
  local value
  for value in 0 -1.0 .nan .inf 1e-30 fast; do
    scenario clock.yaml <<<"platform: {pe: {attrs: {clock_freq_ghz: $value}}}"
    expect_error 2 "clock.yaml:7|clock_freq_ghz|$value" run clock.yaml
  done
  for value in -5 eighty '[80]'; do
    scenario fixed.yaml <<<"platform: {pe: {attrs: {pe_cost_model: {fixed_per_cmd_cycles: $value}}}}"
    expect_error 2 'fixed.yaml:7|fixed_per_cmd_cycles' run fixed.yaml
  done
}

# F06.
test_a_duplicate_key_names_both_lines() {
  scenario twice.yaml <<'Y'
platform:
  pe:
    attrs:
      pe_cost_model:
        fixed_per_cmd_cycles: 40
        byte_cycles_recip: 0.125
        fixed_per_cmd_cycles: 400
Y
  expect_error 2 'twice.yaml:13|fixed_per_cmd_cycles|11' run twice.yaml
}

# F41: the topology is looked at before the run.
test_a_missing_engine_is_named_with_the_kernel_that_needs_it() {
  expect_error 2 "pe0|'gemm'|engines" run "$configs/gemm.yaml" --set 'platform.pe.engines=[dma,fetch_store,math]'
  expect_error 2 "pe0|'math'|gqa_decode_opt2" \
    run "$configs/llama3_8b_decode.yaml" --set 'platform.pe.engines=[dma,fetch_store,gemm]'
  expect 0 run "$configs/gemm_worked_example.yaml" --quiet --set 'platform.pe.engines=[dma,fetch_store,gemm]'
}

# A command that no queue could ever hold.
test_a_queue_smaller_than_the_largest_command_is_refused() {
  expect_error 2 'queue_bytes|100|1024' run "$configs/gemm.yaml" --set queue_bytes=100
  expect_error 2 'queue_bytes|4096|8192' \
    run "$configs/gemm.yaml" --set queue_bytes=4096 max_composite_logical_bytes=8192
}

test_a_workload_that_does_not_fit_in_the_memory_is_refused() {
  expect_error 2 'hbm.capacity' run "$configs/llama3_8b_decode.yaml" --set hbm.capacity=1MiB
}

test_all_mistakes_of_a_file_are_told_at_once() {
  scenario three.yaml <<'Y'
platform:
  pes: 0
  pe: {attrs: {clock_freq_ghz: -1, pe_math: {lanes: many}}}
Y
  expect 2 run three.yaml
  [[ $(wc -l <err) -ge 3 ]] || fail "not every mistake is told"
  has err three.yaml:8 three.yaml:9 clock_freq_ghz lanes platform.pes
}
