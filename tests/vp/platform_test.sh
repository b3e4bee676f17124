# SPDX-License-Identifier: Apache-2.0
#
# The virtual platform: its firmware has the PE compute attention, checks it and tells the result. Here $petal is
# petal_vp_riscv, $checker the petal program, $programs holds programs for the CPU.
# shellcheck shell=bash

test_the_firmware_passes() {
  expect 0
  has out 'attention O[0..3] = ' ', PASS' '15 commands, 1677 bytes' 'simulated time' 'firmware asleep'
  # 15 commands of 40 cycles, 1677 bytes at 16 a cycle: 704.8.
  has out 'the device pays 704 for dispatch'
  [[ ! -s err ]] || fail "there is something on standard error"
}

# expect_same FIRST OPTION...: with the options the firmware prints, at the end of the same time, what is in FIRST. (How
# many instructions it runs after its last store is a matter of the quantum.)
expect_same() {
  local first=$1
  shift
  expect 0 "$@"
  diff <(grep -v '^firmware executing' "$first") <(grep -v '^firmware executing' out) || fail "other results with $*"
}

# The CPU's accesses to devices are exact, and cached memory takes no time of its own.
test_dmi_and_quantum_change_nothing() {
  expect 0 --op-log first.csv
  mv out first
  local options
  for options in '--no-dmi' '--quantum 0' '--quantum 77' '--quantum 1000000' '--no-dmi --quantum 10'; do
    # shellcheck disable=SC2086
    expect_same first $options --op-log again.csv
    same first.csv again.csv
  done
}

# The RAM serves b_transport and nb_transport from one ledger.
test_both_protocols_give_the_same_results_and_times() {
  expect 0
  mv out first
  expect_same first --protocol at
  expect_same first --protocol at --no-dmi --quantum 10
}

test_its_op_log_passes_the_checker() {
  local protocol
  for protocol in lt at; do
    expect 0 --protocol "$protocol" --op-log vp.csv
    "$checker" check vp.csv >checked || fail "$(cat checked)"
    has checked '15 commands' 'no violations'
  done
}

# The stream of the firmware is that of the kernel: command, kind, op, bytes, cycles, in order.
test_its_commands_are_those_of_the_kernel() {
  expect 0 --op-log vp.csv
  scenario opt2.yaml </dev/null
  "$checker" run opt2.yaml --set head_dim=64 kv_len=256 tile=64 --op-log kernel.csv --quiet
  local columns='-f3-6,11,18-19'
  # shellcheck disable=SC2086
  diff <(grep ',dispatch,' kernel.csv | cut -d, $columns) <(grep ',dispatch,' vp.csv | cut -d, $columns) ||
    fail "the firmware sends other commands than the kernel"
}

test_a_preset_changes_what_dispatch_costs() {
  expect 0 --preset gemmini-rocc
  has out 'PASS' 'the device pays 119 for dispatch' # 15 * 1 + 1677 / 16
  expect 0 --preset virtual-platform
  has out 'PASS' 'the device pays 15 for dispatch'
  expect_error 2 'preset' --preset no-such-preset
}

test_keys_of_the_pe_can_be_set() {
  expect 0 --set fixed_per_cmd_cycles=0 byte_cycles_recip=0 --quiet
  has out 'the device pays 0 for dispatch'
  expect_error 2 'fixed_per_cmd_cycles' --set fixed_per_cmd_cycles=-1
}

test_usage_errors_exit_2() {
  expect 2 --frobnicate
  expect 2 --protocol pigeon
  expect 2 --quantum -1
  expect_error 2 'nothing.elf' --firmware nothing.elf
  printf 'no elf' >text
  expect_error 2 'text|ELF' --firmware text
  expect_error 2 'nowhere/log.csv' --op-log nowhere/log.csv
  expect_error 2 '0x70000000|RAM' --firmware "$programs/outside.elf"
}

test_a_bus_error_exits_4() {
  expect 4 --firmware "$programs/bus_error.elf"
  has err '0x80000004' 'load of 4 bytes at 0x20000008' TLM_ADDRESS_ERROR_RESPONSE
}

# F07
test_a_firmware_that_does_not_finish_exits_4() {
  expect 4 --firmware "$programs/endless.elf"
  has err 'has not finished' 'sleeps in wfi'
  expect 4 --firmware "$programs/spin.elf" --limit 0.01
  has err 'has not finished' 'still running'
}

test_a_firmware_that_fails_exits_4() {
  expect 4 --set arena_bytes=4096 # its tensors need more
  has out 'attention: the tensors cannot be named'
  has err 'exit code 1'
}
