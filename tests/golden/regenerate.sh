#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Writes the golden op_logs: every shipped scenario, made small, by the kernels it is for. Called by
# `./petal regenerate-goldens`; a change of a golden is a change of the model and belongs in the same commit.
#
#   regenerate.sh PETAL_BINARY [FOLDER]     FOLDER: where to write, by default this one
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
petal=${1:?usage: regenerate.sh PETAL_BINARY [FOLDER]}
folder=${2:-$here}

# golden NAME SCENARIO KEY=VALUE...
golden() {
  local name=$1 scenario=$2
  shift 2
  "$petal" run "$here/../../configs/$scenario.yaml" --set "$@" --op-log "$folder/$name.csv" --quiet
}

# One head, two whole tiles of keys and a ragged one.
one_head=(platform.pes=1 q_heads=4 kv_heads=1 kv_len=144)
for kernel in opt1 opt2 opt3 three_composites; do
  golden "llama3_8b_decode.$kernel" llama3_8b_decode "${one_head[@]}" "kernel=gqa_decode_$kernel"
done
golden llama3_8b_decode_no_await.opt1 llama3_8b_decode_no_await "${one_head[@]}"

# Two PEs that contend, three heads.
two_pes=(platform.pes=2 q_heads=6 kv_heads=3 kv_len=72)
for kernel in opt2 opt3; do
  golden "llama3_8b_decode_shared_hbm.$kernel" llama3_8b_decode_shared_hbm "${two_pes[@]}" "kernel=gqa_decode_$kernel"
done

# Two PEs, a head in four parts of which the last is empty, then the merge.
golden llama3_8b_split_kv llama3_8b_split_kv platform.pes=2 q_heads=4 kv_heads=1 kv_len=144 hbm.channels=8

# A whole layer on two PEs, of one token and of two.
golden llama3_2_1b_layer llama3_2_1b_layer platform.pes=2 hbm.channels=8 q_heads=4 kv_heads=2 head_dim=16 kv_len=80 \
  layer.hidden=64 layer.intermediate=96
golden small_layer small_layer platform.pes=2 layer.tokens=2 kv_len=20 layer.hidden=40 layer.intermediate=72

golden gemm gemm gemm.m=72 gemm.k=130 gemm.n=80
golden gemm_worked_example gemm_worked_example gemm.m=40
golden systolic_gemm systolic_gemm gemm.m=100 gemm.k=300 gemm.n=77 rows=32 cols=32

# Two PEs, causal behind a past, ragged tiles and blocks, all of the score epilogue.
golden onnx_attention onnx_attention platform.pes=2 q_heads=2 kv_heads=1 head_dim=16 kv_len=24 tile=16 \
  attention.batch=1 attention.q_len=20 attention.row_block=16 attention.past_len=9 attention.is_causal=1 \
  attention.left_window_size=12 attention.softcap=20 attention.attn_mask=boolean
