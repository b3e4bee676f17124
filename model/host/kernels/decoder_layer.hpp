// SPDX-License-Identifier: Apache-2.0
//
// One decoder layer of the Llama kind, as five launches with a barrier between. With n(.) the RMS norm:
//     layer_qkv        Q = n(X) W_q, and K and V rows n(X) W_k, n(X) W_v behind those in the cache
//     layer_attention  A = attention of Q over the cache: token i sees the cached keys and tokens 0 to i
//     layer_output     R = X + A W_o
//     layer_gate_up    F = silu(n(R) W_gate) * (n(R) W_up)
//     layer_down       Y = R + F W_down
// There is no rotary embedding: it is elementwise work on Q and K that no engine op does.
//
// Programs share a product by its columns, in blocks of the hardware tile's, and the attention by row blocks.
// What one writes another reads in the next launch, so the HBM must be shared.
#pragma once

#include <cstdint>

#include "petal/host/kernels/attention.hpp"

namespace petal {

/// The layer and where its tensors lie in HBM, row-major without gaps, all of one dtype.
struct DecoderLayerArguments {
  std::uint64_t tokens = 1;  ///< of one sequence; all of them are in TCM at once
  std::uint64_t hidden = 0;
  std::uint64_t intermediate = 0;
  std::uint64_t q_heads = 0;  ///< a multiple of kv_heads
  std::uint64_t kv_heads = 0;
  std::uint64_t head_dim = 0;
  std::uint64_t kv_len = 0;  ///< tokens in the cache before the layer
  std::uint64_t tile = 64;   ///< keys a tile of the attention
  std::uint64_t row_block = 64;
  DType dtype = DType::f16;
  float norm_eps = 1e-5F;

  std::uint64_t x = 0;               ///< [tokens, hidden]
  std::uint64_t attention_norm = 0;  ///< [hidden]
  std::uint64_t w_q = 0;             ///< [hidden, q_width]
  std::uint64_t w_k = 0;             ///< [hidden, kv_width]
  std::uint64_t w_v = 0;             ///< [hidden, kv_width]
  std::uint64_t k_cache = 0;         ///< [kv_len + tokens, kv_width]; layer_qkv writes the last `tokens` rows
  std::uint64_t v_cache = 0;         ///< as k_cache
  std::uint64_t q = 0;               ///< [tokens, q_width]
  std::uint64_t a = 0;               ///< [tokens, q_width]
  std::uint64_t w_o = 0;             ///< [q_width, hidden]
  std::uint64_t r = 0;               ///< [tokens, hidden]
  std::uint64_t mlp_norm = 0;        ///< [hidden]
  std::uint64_t w_gate = 0;          ///< [hidden, intermediate]
  std::uint64_t w_up = 0;            ///< [hidden, intermediate]
  std::uint64_t f = 0;               ///< [tokens, intermediate]
  std::uint64_t w_down = 0;          ///< [intermediate, hidden]
  std::uint64_t y = 0;               ///< [tokens, hidden]

  std::uint64_t q_width() const { return q_heads * head_dim; }
  std::uint64_t kv_width() const { return kv_heads * head_dim; }
  /// Where the rows that this layer adds to a cache begin.
  std::uint64_t new_rows_of(std::uint64_t cache) const {
    return cache + kv_len * kv_width() * size_of(dtype);
  }
};

/// Each throws ConfigError for sizes that make no layer, EmitError if a program's tensors do not fit in TCM.
void layer_qkv(TlContext& tl, const DecoderLayerArguments& arguments);
void layer_attention(TlContext& tl, const DecoderLayerArguments& arguments);
void layer_output(TlContext& tl, const DecoderLayerArguments& arguments);
void layer_gate_up(TlContext& tl, const DecoderLayerArguments& arguments);
void layer_down(TlContext& tl, const DecoderLayerArguments& arguments);

using LayerKernel = void (*)(TlContext&, const DecoderLayerArguments&);

/// The attention that layer_attention does: causal, with the queries at the end of the keys.
AttentionArguments layer_attention_arguments(const DecoderLayerArguments& arguments);

/// What one launch of the layer comes to, over all programs.
struct LayerWork {
  std::uint64_t macs = 0;
  std::uint64_t terms = 0;  ///< products that are summed to one element of the result
  std::uint64_t tiles = 0;  ///< KV tiles
};
/// `kernel` is one of the five.
LayerWork layer_work(LayerKernel kernel, const DecoderLayerArguments& arguments);

}  // namespace petal
