// SPDX-License-Identifier: Apache-2.0
#include "petal/scenario/attention_layout.hpp"

#include <fmt/format.h>

#include "petal/command/error.hpp"
#include "petal/npy/npy_file.hpp"
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

/// What a file's elements become in HBM.
DType stored_dtype(const NpyArray& array, const std::string& source, DType workload) {
  if (array.descr == "<f2") return DType::f16;
  if (array.descr == "|b1") return DType::boolean;
  if (array.descr != "<f4" && array.descr != "<f8")
    throw ConfigError(fmt::format("--in {}: its elements are '{}'; give f16, f32 or f64, or bool for a mask",
                                  source, array.descr));
  const bool numpy_has_it = workload == DType::f32 || workload == DType::f16 || !is_floating(workload);
  return numpy_has_it ? DType::f32 : workload;
}

TensorForm form_of(const NpyArray& array, const std::string& source, DType workload) {
  if (array.shape.size() > Dims::kMaxRank)
    throw ConfigError(
        fmt::format("--in {}: it has {} axes; give at most {}", source, array.shape.size(), Dims::kMaxRank));
  TensorForm form;
  for (const std::uint64_t size : array.shape) form.shape.push_back(size);
  form.dtype = stored_dtype(array, source, workload);
  return form;
}

std::vector<std::int64_t> lengths_of(const NpyArray& array, const std::string& path) {
  if (array.shape.size() != 1 || (array.descr != "<i8" && array.descr != "<i4"))
    throw ConfigError(
        fmt::format("--in {}={}: it has {} axes of '{}'; give one axis of i64, a number a batch",
                    kNonpadKvSeqlen, path, array.shape.size(), array.descr));
  const std::vector<double> values = as_doubles(array);
  return {values.begin(), values.end()};
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

AttentionInputs attention_inputs(const WorkloadConfig& workload, const TensorFiles& files) {
  AttentionInputs inputs = attention_inputs(workload);
  if (files.count("Q") != 0) {
    inputs = AttentionInputs();
    inputs.attributes = workload.attention.attributes;
  }
  for (const auto& [name, path] : files) {
    const NpyArray array = read_npy(path);
    if (name == kNonpadKvSeqlen)
      inputs.nonpad_kv_seqlen = lengths_of(array, path);
    else
      inputs.forms[name] = form_of(array, fmt::format("{}={}", name, path), workload.dtype);
  }
  return inputs;
}

AttentionLayout attention_layout(const WorkloadConfig& workload, const AttentionInputs& inputs,
                                 Bytes capacity) {
  AddressCursor cursor("attention", capacity);
  AttentionLayout layout;
  std::map<std::string, TensorHandle> handles;
  for (const char* const name : {"Q", "K", "V", "attn_mask", "past_key", "past_value"}) {
    const auto form = inputs.forms.find(name);
    if (form == inputs.forms.end()) continue;
    const auto& [shape, dtype] = form->second;
    const std::uint64_t address = cursor.place(shape, dtype);
    handles[name] = dense_tensor(Space::hbm, address, shape, dtype);
    layout.tensors.push_back({name, TensorRole::input, shape, dtype, address});
  }
  AttentionArguments& arguments = layout.arguments;
  arguments.problem =
      attention_problem(inputs.attributes, attention_tensors(handles, inputs.nonpad_kv_seqlen));
  const TensorHandle& y = arguments.problem.y;
  arguments.y = cursor.place(y.shape, y.dtype);
  arguments.tile = workload.tile;
  arguments.row_block = workload.attention.row_block;
  layout.tensors.push_back({"Y", TensorRole::output, y.shape, y.dtype, arguments.y});
  return layout;
}

AttentionValues attention_values(const AttentionProblem& problem, const TensorData& data) {
  AttentionValues values{data.input("Q"), data.input("K"), data.input("V"), {}, {}, {}};
  if (problem.past_key) values.past_key = data.input("past_key");
  if (problem.past_value) values.past_value = data.input("past_value");
  if (problem.mask) values.mask = data.input("attn_mask");
  return values;
}

}  // namespace petal
