# SPDX-License-Identifier: Apache-2.0
#
# --data, --in and --out: what a run computes, what it is compared with, and what becomes of files.
# shellcheck shell=bash

small=(--set platform.pes=1 q_heads=4 kv_heads=1 kv_len=144)

# npy FILE DESCR SHAPE: an array whose elements are the bytes of standard input.
npy() {
  local header
  printf -v header '%-117s' "{'descr': '$2', 'fortran_order': False, 'shape': ($3), }"
  { printf '\x93NUMPY\x01\x00\x76\x00%s\n' "$header"; cat; } >"$1"
}

# product FILE M K N SETTING...: a GEMM of f32 matrices, with more settings.
product() {
  local file=$1
  printf 'kernel: gemm\ndtype: f32\ngemm: {m: %s, k: %s, n: %s, out_dtype: %s}\n' "$2" "$3" "$4" "${5:-f32}" >"$file"
}

# elements FILE BYTES: the last so many bytes of a file, in hexadecimal.
elements() { tail -c "$2" "$1" | od -An -v -tx1 | tr -d ' \n'; }

test_data_mode_reports_how_far_results_are_from_the_reference() {
  expect 0 run "$configs/llama3_8b_decode.yaml" "${small[@]}" --data
  has out 'double-precision reference' 'O ' 'max error' 'tolerance'
  expect 0 run "$configs/llama3_8b_decode.yaml" "${small[@]}" --data --json
  has out '"data": [' '"tensor": "O"' '"elements": 512' '"within_tolerance": true' '"tolerance": 1e-05'
  expect 0 run "$configs/llama3_8b_decode.yaml" "${small[@]}" --json
  if grep -q '"data": \[' out; then fail "there is data without --data"; fi
}

test_data_mode_does_not_change_the_op_log() {
  local kernel
  for kernel in opt1 opt2 opt3 three_composites; do
    expect 0 run "$configs/llama3_8b_decode.yaml" "${small[@]}" --kernel "$kernel" --op-log without.csv --quiet
    expect 0 run "$configs/llama3_8b_decode.yaml" "${small[@]}" --kernel "$kernel" --op-log with.csv --quiet --data
    same without.csv with.csv
  done
  expect 0 run "$configs/gemm_worked_example.yaml" --op-log without.csv --quiet
  expect 0 run "$configs/gemm_worked_example.yaml" --op-log with.csv --quiet --data
  same without.csv with.csv
}

# [1 2; 3 4] [5 6; 7 8] = [19 22; 43 50]; then the result is an input: [19 22; 43 50] [5 6; 7 8] = [249 290; 565 658].
test_files_are_the_inputs_and_take_the_results() {
  product two.yaml 2 2 2
  printf '\1\2\3\4' | npy a.npy '|i1' '2, 2'
  printf '\5\6\7\10' | npy b.npy '|i1' '2, 2'
  expect 0 run two.yaml --data --in A=a.npy B=b.npy --out C=c.npy --quiet
  [[ $(elements c.npy 16) == 000098410000b04100002c4200004842 ]] || fail "C is $(elements c.npy 16)"
  has c.npy "'descr': '<f4'" "'shape': (2, 2)"
  expect 0 run two.yaml --data --in A=c.npy --in B=b.npy --out C=next.npy --quiet
  [[ $(elements next.npy 16) == 000079430000914300400d4400802444 ]] || fail "C is $(elements next.npy 16)"
}

# A NaN in A is one in the result and in the reference alike: a row of C.
test_a_nan_in_an_input_is_no_error() {
  product two.yaml 2 2 2
  printf '\0\0\xc0\x7f\0\0\x80\x3f\0\0\x80\x3f\0\0\x80\x3f' | npy a.npy '<f4' '2, 2'
  expect 0 run two.yaml --data --in A=a.npy --out C=c.npy
  [[ $(elements c.npy 16) == 0000c07f0000c07f* ]] || fail "C is $(elements c.npy 16)"
}

test_inputs_that_do_not_fit_exit_2() {
  product two.yaml 2 2 2
  printf '\1\2\3\4\5\6' | npy wide.npy '|i1' '2, 3'
  printf '\1\2\3' | npy short.npy '|i1' '2, 2'
  printf '\1\2\3\4' | npy good.npy '|i1' '2, 2'
  expect_error 2 '--in A=wide.npy|[2, 3]|[2, 2]|change the scenario' run two.yaml --data --in A=wide.npy
  expect_error 2 'short.npy' run two.yaml --data --in A=short.npy
  expect_error 2 'missing.npy' run two.yaml --data --in A=missing.npy
  expect_error 2 '--in X|A, B' run two.yaml --data --in X=good.npy
  expect_error 2 '--in C|A, B' run two.yaml --data --in C=good.npy
  expect_error 2 '--in|A is given twice' run two.yaml --data --in A=good.npy A=good.npy
  expect_error 2 '--in A|TENSOR=FILE.npy' run two.yaml --data --in A
  expect_error 2 '--in =good.npy|TENSOR=FILE.npy' run two.yaml --data --in =good.npy
  expect_error 2 '--in A=|TENSOR=FILE.npy' run two.yaml --data --in A=
  expect_error 2 'two.yaml' run two.yaml --data --in A=two.yaml
}

test_results_that_cannot_be_written_exit_2_before_the_run() {
  product two.yaml 2 2 2
  expect_error 2 '--out A|C' run two.yaml --data --out A=a.npy
  expect_error 2 'nowhere/c.npy' run two.yaml --data --out C=nowhere/c.npy --op-log log.csv
  [[ ! -s log.csv ]] || fail "something has run"
  expect_error 2 '--out|C is given twice' run two.yaml --data --out C=c.npy C=d.npy
}

test_tensors_need_data_mode() {
  printf '\1\2\3\4' | npy a.npy '|i1' '2, 2'
  product two.yaml 2 2 2
  expect_error 2 '--in and --out|--data' run two.yaml --in A=a.npy
  expect_error 2 '--in and --out|--data' run two.yaml --out C=c.npy
  expect_error 2 '--in and --out|--data' compare "$configs/llama3_8b_decode.yaml" "${small[@]}" --out O=o.npy
}

# 5 x 127 x 127 = 80645, more than f16 holds: infinite, where the reference is not. All files are there.
test_a_result_past_the_tolerance_exits_4_and_leaves_its_files() {
  product overflow.yaml 1 5 1 f16
  printf '\x7f\x7f\x7f\x7f\x7f' | npy a.npy '|i1' '1, 5'
  printf '\x7f\x7f\x7f\x7f\x7f' | npy b.npy '|i1' '5, 1'
  expect 4 run overflow.yaml --data --in A=a.npy B=b.npy --out C=c.npy --op-log log.csv --summary summary.json
  has err 'petal: ' 'gemm' 'result C' 'element 0' '0.002'
  has summary.json '"within_tolerance": false'
  [[ $(elements c.npy 2) == 007c ]] || fail "C is $(elements c.npy 2)"
  expect 0 check log.csv
}

# A recording whose A lies 64 bytes too far computes with other values.
test_a_wrong_address_in_a_recording_is_a_wrong_number() {
  expect 0 run "$configs/gemm_worked_example.yaml" --record rec --data --quiet
  sed 's/"tensor":1,"space":"hbm","address":0/"tensor":1,"space":"hbm","address":64/' rec >moved.rec
  if cmp -s rec moved.rec; then fail "nothing was moved"; fi
  expect 0 replay moved.rec --quiet
  expect 4 replay moved.rec --data --out C=c.npy --quiet
  has err 'result C' 'tolerated'
  [[ $(wc -c <c.npy) -gt 7680 ]] || fail "C is not there"
}

# No address of a recording is trusted.
test_an_access_beyond_tcm_exits_4_and_names_the_command() {
  expect 0 run "$configs/llama3_8b_decode.yaml" "${small[@]}" --record rec --quiet
  sed '0,/"space":"tcm","address":[0-9]*/s//"space":"tcm","address":140737488355312/' rec >far.rec
  expect_error 4 'command 1|DmaReadCmd|TCM|0x7ffffffffff0' replay far.rec --data
}

test_a_replay_computes_what_the_run_did() {
  local kernel
  for kernel in opt1 opt2 opt3 three_composites; do
    expect 0 run "$configs/llama3_8b_decode.yaml" --set platform.pes=2 q_heads=8 kv_heads=2 kv_len=100 \
      --kernel "$kernel" --data --record rec --out O=run.npy --op-log run.csv --summary run.json --quiet
    expect 0 replay rec --data --out O=replay.npy --op-log replay.csv --summary replay.json --quiet
    same run.npy replay.npy
    same run.csv replay.csv
    sed -n '/"data": \[/,/\]/p' run.json >run.data
    sed -n '/"data": \[/,/\]/p' replay.json >replay.data
    [[ -s run.data ]] || fail "there is no data"
    same run.data replay.data
  done
}

test_compare_computes_by_every_kernel() {
  expect 0 compare "$configs/llama3_8b_decode.yaml" "${small[@]}" --data --out O=o.npy --summary compare.json
  has out 'O, relative error'
  local kernel
  for kernel in opt1 opt2 opt3; do
    [[ $(wc -c <"o.gqa_decode_$kernel.npy") -eq $((128 + 4 * 128 * 4)) ]] ||
      fail "o.gqa_decode_$kernel.npy has another size"
  done
  [[ $(grep -c '"within_tolerance": true' compare.json) -eq 3 ]] || fail "not every kernel was checked"
}

# F26: results depend on neither addresses nor the environment.
test_ten_processes_compute_the_same_bits() {
  expect 0 run "$configs/llama3_8b_decode.yaml" --set kv_len=256 --data --out O=first.npy --quiet
  for _ in $(seq 9); do
    expect 0 run "$configs/llama3_8b_decode.yaml" --set kv_len=256 --data --out O=next.npy --quiet
    same first.npy next.npy
  done
  env -i LC_ALL=C.UTF-8 TZ=Asia/Seoul "$petal" run "$configs/llama3_8b_decode.yaml" --set kv_len=256 --data \
    --out O=next.npy --quiet
  same first.npy next.npy
  expect 0 run "$configs/llama3_8b_decode.yaml" --set kv_len=256 seed=2 --data --out O=next.npy --quiet
  if cmp -s first.npy next.npy; then fail "the seed changes nothing"; fi
}

# Every shape, stride, address and dtype of a recording, changed one at a time: a result, or one line and a code.
test_no_change_to_a_recording_crashes_data_mode() {
  local kernel change line code
  local changes=('s/"shape":\[[0-9]*/"shape":[3/' 's/"shape":\[[0-9]*/"shape":[0/'
    's/,[0-9]*\],"strides"/,77],"strides"/' 's/"strides":\[[0-9]*/"strides":[0/'
    's/"strides":\[[0-9]*/"strides":[1000000000000/' 's/"f32"/"i32"/' 's/"f32"/"f16"/' 's/"f16"/"i8"/'
    's/"address":[0-9]*/"address":18446744073709551600/' 's/"address":[0-9]*/"address":1/')
  for kernel in gqa_decode_opt1 gqa_decode_opt2; do
    expect 0 run "$configs/llama3_8b_decode.yaml" --kernel "$kernel" --record rec --quiet \
      --set platform.pes=1 q_heads=2 kv_heads=1 head_dim=8 kv_len=12 tile=8
    for line in $(grep -n '"tensor":' rec | cut -d: -f1); do
      for change in "${changes[@]}"; do
        sed "${line}$change" rec >changed.rec
        code=0
        "$petal" replay changed.rec --data --quiet >out 2>err </dev/null || code=$?
        case $code in
          0) ;;
          2 | 4) [[ $(wc -l <err) -eq 1 ]] || fail "$kernel, line $line, $change: not one line of errors" ;;
          *) fail "$kernel, line $line, $change: exit code $code: $(head -3 err)" ;;
        esac
      done
    done
  done
}

# Every tensor that a launch writes is compared, in the launches' order.
test_every_launch_of_a_layer_is_checked() {
  local dtype
  for dtype in f32 f16 bf16; do
    expect 0 run "$configs/small_layer.yaml" --data --set dtype=$dtype --summary layer.json --op-log layer.csv --quiet
    [[ $(sed -n 's/.*"tensor": "\(.*\)".*/\1/p' layer.json | tr '\n' ' ') == 'K_new V_new Q A R F Y ' ]] ||
      fail "not the tensors of a layer"
    [[ $(grep -c '"within_tolerance": true' layer.json) -eq 7 ]] || fail "not all within tolerance"
    expect 0 check layer.csv
  done
  expect 0 run "$configs/small_layer.yaml" --data --record layer.rec --out Y=y.npy --quiet
  expect 0 replay layer.rec --data --out Y=replayed.npy --summary replayed.json --quiet
  same y.npy replayed.npy
  [[ $(grep -c '"within_tolerance": true' replayed.json) -eq 7 ]] || fail "the replay was not checked"
}

# Parts and merge; 144 keys are three tiles, so the last of four parts is empty.
test_split_decode_is_checked() {
  expect 0 run "$configs/llama3_8b_split_kv.yaml" --data --set platform.pes=4 q_heads=4 kv_heads=1 kv_len=144 \
    --out O=split.npy --summary split.json --quiet
  [[ $(grep -c '"within_tolerance": true' split.json) -eq 4 ]] || fail "not all of m_parts, l_parts, O_parts, O"
  [[ $(wc -c <split.npy) -eq $((128 + 4 * 128 * 4)) ]] || fail "O has another size"
}

test_launches_that_hand_data_on_need_one_hbm() {
  expect 2 run "$configs/small_layer.yaml" --set platform.hbm.scope=per_pe
  has err 'platform.hbm.scope' 'layer_qkv' 'set platform.hbm.scope=shared'
  expect 2 run "$configs/llama3_8b_split_kv.yaml" --set platform.hbm.scope=per_pe
  has err 'platform.hbm.scope' 'gqa_decode_split'
  expect 0 run "$configs/small_layer.yaml" --data --set platform.hbm.scope=per_pe platform.pes=1 --quiet
}
