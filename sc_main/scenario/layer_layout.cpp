// SPDX-License-Identifier: Apache-2.0
#include "petal/scenario/layer_layout.hpp"

#include "petal/scenario/address_cursor.hpp"

namespace petal {

DecoderLayerArguments layer_arguments(const WorkloadConfig& workload, Bytes capacity) {
  DecoderLayerArguments layer;
  layer.tokens = workload.layer.tokens;
  layer.hidden = workload.layer.hidden;
  layer.intermediate = workload.layer.intermediate;
  layer.q_heads = workload.q_heads;
  layer.kv_heads = workload.kv_heads;
  layer.head_dim = workload.head_dim;
  layer.kv_len = workload.kv_len;
  layer.tile = workload.tile;
  layer.row_block = workload.attention.row_block;
  layer.dtype = workload.dtype;
  layer.norm_eps = static_cast<float>(workload.layer.norm_eps);

  AddressCursor cursor("the decoder layer", capacity);
  const auto place = [&](const Dims& shape) { return cursor.place(shape, layer.dtype); };
  layer.x = place({layer.tokens, layer.hidden});
  layer.attention_norm = place({layer.hidden});
  layer.w_q = place({layer.hidden, layer.q_width()});
  layer.w_k = place({layer.hidden, layer.kv_width()});
  layer.w_v = place({layer.hidden, layer.kv_width()});
  layer.k_cache = place({layer.kv_len + layer.tokens, layer.kv_width()});
  layer.v_cache = place({layer.kv_len + layer.tokens, layer.kv_width()});
  layer.q = place({layer.tokens, layer.q_width()});
  layer.a = place({layer.tokens, layer.q_width()});
  layer.w_o = place({layer.q_width(), layer.hidden});
  layer.r = place({layer.tokens, layer.hidden});
  layer.mlp_norm = place({layer.hidden});
  layer.w_gate = place({layer.hidden, layer.intermediate});
  layer.w_up = place({layer.hidden, layer.intermediate});
  layer.f = place({layer.tokens, layer.intermediate});
  layer.w_down = place({layer.intermediate, layer.hidden});
  layer.y = place({layer.tokens, layer.hidden});
  return layer;
}

std::vector<ScenarioTensor> tensors_of(const DecoderLayerArguments& layer) {
  constexpr TensorRole kInput = TensorRole::input;
  constexpr TensorRole kOutput = TensorRole::output;
  const DType dtype = layer.dtype;
  const Dims cached{layer.kv_len, layer.kv_width()};
  const Dims added{layer.tokens, layer.kv_width()};
  return {{"X", kInput, {layer.tokens, layer.hidden}, dtype, layer.x},
          {"attention_norm", kInput, {layer.hidden}, dtype, layer.attention_norm},
          {"W_q", kInput, {layer.hidden, layer.q_width()}, dtype, layer.w_q},
          {"W_k", kInput, {layer.hidden, layer.kv_width()}, dtype, layer.w_k},
          {"W_v", kInput, {layer.hidden, layer.kv_width()}, dtype, layer.w_v},
          {"K_cache", kInput, cached, dtype, layer.k_cache},
          {"K_new", kOutput, added, dtype, layer.new_rows_of(layer.k_cache)},
          {"V_cache", kInput, cached, dtype, layer.v_cache},
          {"V_new", kOutput, added, dtype, layer.new_rows_of(layer.v_cache)},
          {"Q", kOutput, {layer.tokens, layer.q_width()}, dtype, layer.q},
          {"A", kOutput, {layer.tokens, layer.q_width()}, dtype, layer.a},
          {"W_o", kInput, {layer.q_width(), layer.hidden}, dtype, layer.w_o},
          {"R", kOutput, {layer.tokens, layer.hidden}, dtype, layer.r},
          {"mlp_norm", kInput, {layer.hidden}, dtype, layer.mlp_norm},
          {"W_gate", kInput, {layer.hidden, layer.intermediate}, dtype, layer.w_gate},
          {"W_up", kInput, {layer.hidden, layer.intermediate}, dtype, layer.w_up},
          {"F", kOutput, {layer.tokens, layer.intermediate}, dtype, layer.f},
          {"W_down", kInput, {layer.intermediate, layer.hidden}, dtype, layer.w_down},
          {"Y", kOutput, {layer.tokens, layer.hidden}, dtype, layer.y}};
}

}  // namespace petal
