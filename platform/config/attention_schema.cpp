// SPDX-License-Identifier: Apache-2.0
#include "petal/config/attention_schema.hpp"

#include "petal/config/schema_limits.hpp"

namespace petal {
namespace {

constexpr double kLargestScale = 1e30;
constexpr std::uint64_t kMostHeads = 65536;

/// A key below `attention` for the field that `field_of` finds in an AttentionWorkload.
template <typename FieldOf>
ConfigKey<LaunchConfig> attention_key(const char* name, const char* unit, ValueType type, const char* doc,
                                      FieldOf field_of) {
  return key_for<LaunchConfig>(
      std::string("attention.") + name, unit, std::move(type),
      doc, [field_of](auto& launch) -> auto& { return field_of(launch.workload.attention); });
}

}  // namespace

std::vector<ConfigKey<LaunchConfig>> attention_attribute_keys() {
  const ValueType window = signed_integer_type(-1, kInt32Max);
  return {
      attention_key(
          "is_causal", "", flag_type(), "a query sees no key behind its own position",
          [](auto& work) -> auto& { return work.attributes.is_causal; }),
      attention_key(
          "scale", "", or_none(real_type(0.0, kLargestScale)), "factor of Q.K^T; none: 1 / sqrt(head size)",
          [](auto& work) -> auto& { return work.attributes.scale; }),
      attention_key(
          "softcap", "", real_type(0.0, kLargestScale),
          "bends scores: softcap * tanh(score / softcap); 0: does not",
          [](auto& work) -> auto& { return work.attributes.softcap; }),
      attention_key(
          "q_num_heads", "heads", or_none(integer_type(1, kMostHeads)),
          "query heads; files with three axes need it; without files none: q_heads",
          [](auto& work) -> auto& { return work.attributes.q_num_heads; }),
      attention_key(
          "kv_num_heads", "heads", or_none(integer_type(1, kMostHeads)),
          "KV heads; files with three axes need it; without files none: kv_heads",
          [](auto& work) -> auto& { return work.attributes.kv_num_heads; }),
      attention_key(
          "left_window_size", "keys", window, "a query sees so many keys before its position; -1: all",
          [](auto& work) -> auto& { return work.attributes.left_window_size; }),
      attention_key(
          "right_window_size", "keys", window, "a query sees so many keys after its position; -1: all",
          [](auto& work) -> auto& { return work.attributes.right_window_size; }),
      attention_key(
          "qk_matmul_output_mode", "", integer_type(0, 3),
          "form of the output qk_matmul_output, which is not computed: Y is the same",
          [](auto& work) -> auto& { return work.attributes.qk_matmul_output_mode; }),
      attention_key(
          "softmax_precision", "", integer_type(0, 16),
          "ONNX data type (1, 10, 11, 16; 0: none); the softmax is in f32 whatever it is",
          [](auto& work) -> auto& { return work.attributes.softmax_precision; }),
  };
}

std::vector<ConfigKey<LaunchConfig>> attention_shape_keys() {
  return {
      attention_key(
          "row_block", "rows", integer_type(1, kInt32Max), "rows a kernel handles at a time",
          [](auto& work) -> auto& { return work.row_block; }),
      attention_key(
          "batch", "", integer_type(0, kInt32Max), "batches, if Q is not given as a file",
          [](auto& work) -> auto& { return work.batch; }),
      attention_key(
          "q_len", "queries", integer_type(0, kInt32Max), "queries of a head, if Q is no file",
          [](auto& work) -> auto& { return work.q_len; }),
      attention_key(
          "past_len", "keys", integer_type(0, kInt32Max),
          "keys of past_key, before the kv_len of K, if Q is no file; 0: no past_key",
          [](auto& work) -> auto& { return work.past_len; }),
      attention_key(
          "v_head_size", "elements", or_none(integer_type(1, kInt32Max)),
          "elements of one head's value, if Q is no file; none: head_dim",
          [](auto& work) -> auto& { return work.v_head_size; }),
      attention_key(
          "nonpad_kv_seqlen", "keys", or_none(integer_type(0, kInt32Max)),
          "keys of each batch that are no padding, if Q is no file",
          [](auto& work) -> auto& { return work.nonpad_kv_seqlen; }),
      attention_key(
          "rank", "axes", integer_type(3, 4),
          "of Q, K and V, if Q is no file: [batch, sequence, heads * size] or [batch, heads, "
          "sequence, size]",
          [](auto& work) -> auto& { return work.rank; }),
      attention_key(
          "attn_mask", "", word_type(word_list<AttentionMask>()),
          "the explicit mask, if Q is no file; additive: of the tensors' dtype",
          [](auto& work) -> auto& { return work.attn_mask; }),
      attention_key(
          "attn_mask_axes", "", word_type(word_list<AttentionMaskAxes>()),
          "its axes of batch, heads, queries and keys; others are broadcast",
          [](auto& work) -> auto& { return work.attn_mask_axes; }),
  };
}

}  // namespace petal
