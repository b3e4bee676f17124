// SPDX-License-Identifier: Apache-2.0
//
// AttentionProblem: one application of the ONNX operator Attention (opset 23 to 25), brought to one form.
// Every tensor is a view of four axes, whatever axes it was given with; a broadcast axis of the mask has
// stride 0. Keys are counted over the past keys and the current ones behind them.
//
// With S the scores of query i of a batch and query head h against key j:
//     S[i, j] = cap(scale * Q[i] . K[j]) + mask[i, j]      cap(s) = softcap * tanh(s / softcap)
//     Y[i]    = sum over j of softmax(S[i])[j] * V[j]      0 if query i sees no key
// over the keys j that query i sees: those that are no padding, in the band of its position, and not masked.
// Query head h reads KV head h / (q_heads / kv_heads).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "petal/attention/attention_attributes.hpp"
#include "petal/attention/attention_tensors.hpp"
#include "petal/command/tensor_handle.hpp"

namespace petal {

/// What the position of query i leaves of the keys: keys j with low <= j - i <= high.
struct KeyBand {
  static constexpr std::int64_t kNoLow = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t kNoHigh = std::numeric_limits<std::int64_t>::max();
  std::int64_t low = kNoLow;
  std::int64_t high = kNoHigh;
};

/// Keys [first, end).
struct KeyInterval {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
};

struct AttentionProblem {
  std::uint64_t batch = 0;
  std::uint64_t q_heads = 0;  ///< a multiple of kv_heads
  std::uint64_t kv_heads = 0;
  std::uint64_t q_len = 0;     ///< queries of a head
  std::uint64_t past_len = 0;  ///< keys in past_key
  std::uint64_t kv_len = 0;    ///< keys in K
  std::uint64_t head_size = 0;
  std::uint64_t v_head_size = 0;
  double scale = 1.0;
  double softcap = 0.0;  ///< 0: none

  TensorHandle q;                          ///< [batch, q_heads, q_len, head_size]
  TensorHandle k;                          ///< [batch, kv_heads, kv_len, head_size]
  TensorHandle v;                          ///< [batch, kv_heads, kv_len, v_head_size]
  std::optional<TensorHandle> past_key;    ///< [batch, kv_heads, past_len, head_size]
  std::optional<TensorHandle> past_value;  ///< [batch, kv_heads, past_len, v_head_size]
  /// [batch, q_heads, q_len, keys]; boolean or floating. The keys beyond its last axis are masked.
  std::optional<TensorHandle> mask;
  TensorHandle y;  ///< Y's shape as the operator has it, and Q's dtype; it has no address

  std::vector<std::uint64_t> visible_keys;  ///< of each batch: the keys that are no padding and have a mask
  std::vector<KeyBand> bands;               ///< of each batch

  /// All keys of a batch: past_len + kv_len.
  std::uint64_t keys() const { return past_len + kv_len; }
  /// Query heads that share a KV head. Precondition: kv_heads is not 0.
  std::uint64_t group() const { return q_heads / kv_heads; }
  /// The keys that query `query` of batch `b` sees, the explicit mask left aside.
  KeyInterval keys_of(std::uint64_t b, std::uint64_t query) const;
  /// Y at `address` as [batch, q_heads, q_len, v_head_size].
  TensorHandle y_at(std::uint64_t address) const;
};

/// Position 0 of the queries stands at key past_len, or, with nonpad_kv_seqlen, at key nonpad_kv_seqlen -
/// q_len of its batch, so that the last query stands at the last key. A mask is broadcast from its last axis
/// to [batch, q_heads, q_len, keys]; its last axis is not broadcast but may be short. Throws ConfigError,
/// naming the input or attribute, its shape or value and what is allowed, for inputs that the operator does
/// not allow.
AttentionProblem attention_problem(const AttentionAttributes& attributes, const AttentionTensors& tensors);

}  // namespace petal
