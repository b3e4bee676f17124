// SPDX-License-Identifier: Apache-2.0
#include "petal/scenario/attention_layout.hpp"

#include "petal/scenario/address_cursor.hpp"

namespace petal {
namespace {

/// Sizes of an attention without files.
struct Sizes {
  explicit Sizes(const WorkloadConfig& workload)
      : batch(workload.attention.batch),
        q_heads(workload.attention.attributes.q_num_heads.value_or(workload.q_heads)),
        kv_heads(workload.attention.attributes.kv_num_heads.value_or(workload.kv_heads)),
        q_len(workload.attention.q_len),
        kv_len(workload.kv_len),
        past_len(workload.attention.past_len),
        head_size(workload.head_dim),
        v_head_size(workload.attention.v_head_size.value_or(workload.head_dim)) {}

  std::uint64_t batch, q_heads, kv_heads, q_len, kv_len, past_len, head_size, v_head_size;
};

Dims mask_shape(const Sizes& sizes, AttentionMaskAxes axes) {
  const std::uint64_t keys = sizes.past_len + sizes.kv_len;
  switch (axes) {
    case AttentionMaskAxes::k:
      return {keys};
    case AttentionMaskAxes::qk:
      return {sizes.q_len, keys};
    case AttentionMaskAxes::hqk:
      return {sizes.q_heads, sizes.q_len, keys};
    case AttentionMaskAxes::b1qk:
      return {sizes.batch, 1, sizes.q_len, keys};
    case AttentionMaskAxes::bhqk:
      return {sizes.batch, sizes.q_heads, sizes.q_len, keys};
  }
  return {};
}

Dims tensor_shape(std::uint64_t rank, const Sizes& sizes, std::uint64_t heads, std::uint64_t length,
                  std::uint64_t size) {
  return rank == 3 ? Dims{sizes.batch, length, heads * size} : Dims{sizes.batch, heads, length, size};
}

}  // namespace

AttentionInputs attention_inputs(const WorkloadConfig& workload) {
  const AttentionWorkload& work = workload.attention;
  const Sizes sizes(workload);
  const DType dtype = workload.dtype;
  AttentionInputs inputs;
  inputs.attributes = work.attributes;
  inputs.attributes.q_num_heads = sizes.q_heads;
  inputs.attributes.kv_num_heads = sizes.kv_heads;
  inputs.forms["Q"] = {tensor_shape(work.rank, sizes, sizes.q_heads, sizes.q_len, sizes.head_size), dtype};
  inputs.forms["K"] = {tensor_shape(work.rank, sizes, sizes.kv_heads, sizes.kv_len, sizes.head_size), dtype};
  inputs.forms["V"] = {tensor_shape(work.rank, sizes, sizes.kv_heads, sizes.kv_len, sizes.v_head_size),
                       dtype};
  if (sizes.past_len > 0) {
    inputs.forms["past_key"] = {{sizes.batch, sizes.kv_heads, sizes.past_len, sizes.head_size}, dtype};
    inputs.forms["past_value"] = {{sizes.batch, sizes.kv_heads, sizes.past_len, sizes.v_head_size}, dtype};
  }
  if (work.attn_mask != AttentionMask::none)
    inputs.forms["attn_mask"] = {mask_shape(sizes, work.attn_mask_axes),
                                 work.attn_mask == AttentionMask::boolean ? DType::boolean : dtype};
  if (work.nonpad_kv_seqlen)
    inputs.nonpad_kv_seqlen.emplace(sizes.batch, static_cast<std::int64_t>(*work.nonpad_kv_seqlen));
  return inputs;
}

AttentionArguments attention_arguments(const WorkloadConfig& workload, const AttentionInputs& inputs,
                                       Bytes capacity) {
  AddressCursor cursor("attention", capacity);
  std::map<std::string, TensorHandle> tensors;
  for (const char* const name : {"Q", "K", "V", "attn_mask", "past_key", "past_value"}) {
    const auto form = inputs.forms.find(name);
    if (form == inputs.forms.end()) continue;
    const auto& [shape, dtype] = form->second;
    tensors[name] = dense_tensor(Space::hbm, cursor.place(shape, dtype), shape, dtype);
  }
  AttentionArguments arguments;
  arguments.problem =
      attention_problem(inputs.attributes, attention_tensors(tensors, inputs.nonpad_kv_seqlen));
  arguments.y = cursor.place(arguments.problem.y.shape, arguments.problem.y.dtype);
  arguments.tile = workload.tile;
  arguments.row_block = workload.attention.row_block;
  return arguments;
}

}  // namespace petal
