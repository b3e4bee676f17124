// SPDX-License-Identifier: Apache-2.0
//
// Keys of the work.
#include "knobs/knob_rows.hpp"

namespace petal::test {
namespace {

using Rows = std::vector<KnobRow>;

// Two blocks of four queries, three tiles of four keys, two heads over one.
const char* const kAttention =
    "kernel: attention\nq_heads: 2\nkv_heads: 1\nhead_dim: 16\nkv_len: 12\ntile: 4\n"
    "attention: {q_len: 8, row_block: 4}\n";
const char* const kLayer =
    "launches: [{kernel: layer_qkv}, {kernel: layer_attention}, {kernel: layer_output}, {kernel: "
    "layer_gate_up}, "
    "{kernel: layer_down}]\n"
    "q_heads: 4\nkv_heads: 2\nhead_dim: 16\nkv_len: 12\ntile: 8\nlayer: {hidden: 64, intermediate: 96}\n";
const char* const kSplit =
    "launches: [{kernel: gqa_decode_split}, {kernel: gqa_decode_combine}]\n"
    "q_heads: 4\nkv_heads: 1\nhead_dim: 32\nkv_len: 64\ntile: 16\nkv_splits: 2\nplatform: {hbm: {scope: "
    "shared}}\n";

/// How long stages of other sizes take.
const Quantities kSizes{"dma_bytes", "dma_time",  "fetch_time", "store_time",
                        "gemm_time", "math_time", "addresses"};

Rows decode_rows() {
  return {
      // The same work by other commands.
      row("kernel", "gqa_decode_opt1", kDecode, {}, {"kernel", "commands"},
          without(work(), {"macs", "tiles"})),
      row("model", "llama3.2-1b", kDecode, {}, {"macs", "dma_bytes"}, work()),
      // More rows on the same commands.
      row("q_heads", "8", kDecode, {}, {"macs", "dma_bytes", "gemm_time", "results"}, with(timing(), kSizes)),
      // The same rows in two groups: each has its K and V.
      row("kv_heads", "2", kDecode, {}, {"dma_bytes", "tiles", "commands"}, without(work(), {"macs"})),
      row("head_dim", "64", kDecode, {}, {"macs", "dma_bytes"},
          without(work(), {"tiles", "commands", "issue_cycles", "dispatch_time"})),
      row("kv_len", "56", kDecode, {}, {"macs", "dma_bytes", "tiles", "commands"}, work()),
      row("tile", "8", kDecode, {}, {"tiles", "commands"}, without(work(), {"macs", "dma_bytes"})),
      row("store_softmax_state", "true", kDecode, {}, {"commands", "dma_bytes", "results"},
          without(work(), {"macs", "tiles", "fetch_time", "gemm_time", "math_time"})),
      // As wide as f16 and as fast: only the numbers are others.
      row("dtype", "bf16", kDecode, {}, {"results"}, {}),
      row("dtype", "f32", kDecode, {}, {"results", "dma_bytes", "gemm_time", "fetch_time"},
          with(timing(), {"addresses", "dma_time"})),
      row("kv_splits", "4", kSplit, {}, {"commands", "dma_bytes"}, without(work(), {"macs"})),
  };
}

Rows gemm_rows() {
  const Quantities shape =
      without(work(), {"tiles", "commands", "issue_cycles", "dispatch_time", "math_time"});
  return {
      row("gemm.m", "7", kGemm, {}, {"macs", "dma_bytes", "results"}, shape),
      row("gemm.k", "7", kGemm, {}, {"macs", "dma_bytes", "results"}, shape),
      row("gemm.n", "7", kGemm, {}, {"macs", "dma_bytes", "results"}, shape),
      row("gemm.out_dtype", "f32", kGemm, {}, {"dma_bytes", "store_time", "results"},
          with(timing(), {"addresses", "dma_time"})),
  };
}

Rows attention_attribute_rows() {
  const Quantities same_work = without(work(), {"macs", "tiles"});
  return {
      // Four rows of two heads see the first of three tiles, four the first two: 2 x (1 + 2) tiles, not 2
      // x 6.
      row("attention.is_causal", "1", kAttention, {}, {"macs", "tiles", "results"}, work()),
      row("attention.scale", "0.01", kAttention, {}, {"results"}, {}),
      row("attention.softcap", "2.5", kAttention, {}, {"commands", "math_time", "results"},
          without(same_work, {"dma_bytes", "gemm_time"})),
      row("attention.q_num_heads", "4", kAttention, {}, {"macs", "dma_bytes", "results"}, work()),
      // Two blocks over either of two heads, in place of four over one.
      row("attention.kv_num_heads", "2", kAttention, {}, {"addresses", "results"},
          with(timing(), {"dma_time"})),
      row("attention.left_window_size", "2", kAttention, {}, {"results", "commands"}, work()),
      row("attention.right_window_size", "0", kAttention, {}, {"results", "commands"}, work()),
      // Their documentation says so.
      row("attention.qk_matmul_output_mode", "3", kAttention, {}, {}, {}),
      row("attention.softmax_precision", "11", kAttention, {}, {}, {}),
  };
}

Rows attention_shape_rows() {
  const std::vector<std::string> masked{"attention.attn_mask=boolean"};
  return {
      row("attention.row_block", "8", kAttention, {}, {"commands", "tiles"}, without(work(), {"macs"})),
      row("attention.batch", "2", kAttention, {}, {"macs", "tiles", "dma_bytes"}, work()),
      row("attention.q_len", "4", kAttention, {}, {"macs", "tiles", "dma_bytes"}, work()),
      row("attention.past_len", "4", kAttention, {}, {"macs", "tiles", "dma_bytes"}, work()),
      row("attention.v_head_size", "32", kAttention, {}, {"macs", "dma_bytes"}, without(work(), {"tiles"})),
      row("attention.nonpad_kv_seqlen", "5", kAttention, {}, {"results", "dma_bytes"}, work()),
      // The same sizes in another order: rows of several heads lie in one.
      row("attention.rank", "3", kAttention, {}, {"addresses", "results"}, with(timing(), {"dma_time"})),
      row("attention.attn_mask", "boolean", kAttention, {}, {"dma_bytes", "commands", "results"},
          without(work(), {"macs", "tiles", "gemm_time"})),
      row("attention.attn_mask_axes", "hqk", kAttention, masked, {"addresses", "results"},
          with(timing(), {"dma_time"})),
  };
}

Rows layer_rows() {
  return {
      row("layer.tokens", "2", kLayer, {}, {"macs", "dma_bytes", "results"}, work()),
      row("layer.hidden", "96", kLayer, {}, {"macs", "dma_bytes", "results"}, work()),
      row("layer.intermediate", "128", kLayer, {}, {"macs", "dma_bytes", "results"}, work()),
      row("layer.norm_eps", "0.01", kLayer, {}, {"results"}, {}),
  };
}

Rows scenario_rows() {
  const std::string two_launches = std::string(kGemm) + "launches: [{kernel: gemm}, {kernel: gemm}]\n";
  return {
      row_of_texts("launches", kGemm, two_launches, {"kernel", "macs", "commands"}, work()),
      row("compare", "[opt1, opt2]", kDecode, {}, {"compared"}, {}),
      row("seed", "7", kDecode, {}, {"results"}, {}),
      row("dispatch_preset", "tensix-push", kDecode, {}, {"issue_cycles", "dispatch_time"}, timing()),
  };
}

}  // namespace

std::vector<KnobRow> work_rows() {
  Rows all;
  for (const Rows& rows : {decode_rows(), gemm_rows(), attention_attribute_rows(), attention_shape_rows(),
                           layer_rows(), scenario_rows()})
    all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

}  // namespace petal::test
