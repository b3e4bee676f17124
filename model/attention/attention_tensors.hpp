// SPDX-License-Identifier: Apache-2.0
//
// The inputs of the ONNX operator Attention as they are given: Q, K and V with four axes [batch, heads,
// sequence, head size], or with three [batch, sequence, heads * head size].
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "petal/command/tensor_handle.hpp"

namespace petal {

struct AttentionTensors {
  TensorHandle q;
  TensorHandle k;
  TensorHandle v;
  std::optional<TensorHandle> attn_mask;   ///< boolean (true: take part) or floating (added to the scores)
  std::optional<TensorHandle> past_key;    ///< [batch, kv_heads, past sequence, head size]
  std::optional<TensorHandle> past_value;  ///< [batch, kv_heads, past sequence, V's head size]
  /// Keys of each batch that are no padding. The kernel's loops depend on them, so they are values, not a
  /// tensor in memory.
  std::optional<std::vector<std::int64_t>> nonpad_kv_seqlen;
};

/// The tensors by their ONNX names: Q, K, V, attn_mask, past_key, past_value. Throws ConfigError for a name
/// that is none of them, and if Q, K or V is missing.
AttentionTensors attention_tensors(const std::map<std::string, TensorHandle>& by_name,
                                   std::optional<std::vector<std::int64_t>> nonpad_kv_seqlen = {});

}  // namespace petal
