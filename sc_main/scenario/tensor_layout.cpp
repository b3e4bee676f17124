// SPDX-License-Identifier: Apache-2.0
#include "petal/scenario/tensor_layout.hpp"

#include "petal/scenario/address_cursor.hpp"

namespace petal {
namespace {

GqaDecodeArguments place_decode(const WorkloadConfig& workload, AddressCursor& cursor) {
  GqaDecodeArguments arguments;
  arguments.q_heads = workload.q_heads;
  arguments.kv_heads = workload.kv_heads;
  arguments.head_dim = workload.head_dim;
  arguments.kv_len = workload.kv_len;
  arguments.tile = workload.tile;
  arguments.dtype = workload.dtype;
  arguments.q = cursor.place({workload.q_heads, workload.head_dim}, workload.dtype);
  arguments.k = cursor.place({workload.kv_heads, workload.kv_len, workload.head_dim}, workload.dtype);
  arguments.v = cursor.place({workload.kv_heads, workload.kv_len, workload.head_dim}, workload.dtype);
  arguments.o = cursor.place({workload.q_heads, workload.head_dim}, arguments.out_dtype);
  if (workload.store_softmax_state) {
    arguments.m = cursor.place({workload.q_heads}, DType::f32);
    arguments.l = cursor.place({workload.q_heads}, DType::f32);
  }
  return arguments;
}

}  // namespace

GqaDecodeArguments decode_arguments(const WorkloadConfig& workload, Bytes capacity) {
  AddressCursor cursor("decode attention", capacity);
  return place_decode(workload, cursor);
}

GqaSplitArguments split_arguments(const WorkloadConfig& workload, Bytes capacity) {
  AddressCursor cursor("split-KV decode", capacity);
  GqaSplitArguments arguments;
  arguments.decode = place_decode(workload, cursor);
  arguments.splits = workload.kv_splits;
  arguments.m_parts = cursor.place({arguments.splits, workload.q_heads}, DType::f32);
  arguments.l_parts = cursor.place({arguments.splits, workload.q_heads}, DType::f32);
  arguments.o_parts = cursor.place({arguments.splits, workload.q_heads, workload.head_dim}, DType::f32);
  return arguments;
}

GemmArguments gemm_arguments(const WorkloadConfig& workload, Bytes capacity) {
  GemmArguments arguments;
  arguments.m = workload.gemm.m;
  arguments.k = workload.gemm.k;
  arguments.n = workload.gemm.n;
  arguments.dtype = workload.dtype;
  arguments.out_dtype = workload.gemm.out_dtype;
  AddressCursor cursor("the GEMM", capacity);
  arguments.a = cursor.place({arguments.m, arguments.k}, arguments.dtype);
  arguments.b = cursor.place({arguments.k, arguments.n}, arguments.dtype);
  arguments.c = cursor.place({arguments.m, arguments.n}, arguments.out_dtype);
  return arguments;
}

std::vector<ScenarioTensor> tensors_of(const GqaDecodeArguments& arguments) {
  const Dims heads{arguments.q_heads, arguments.head_dim};
  const Dims cache{arguments.kv_heads, arguments.kv_len, arguments.head_dim};
  std::vector<ScenarioTensor> tensors{{"Q", TensorRole::input, heads, arguments.dtype, arguments.q},
                                      {"K", TensorRole::input, cache, arguments.dtype, arguments.k},
                                      {"V", TensorRole::input, cache, arguments.dtype, arguments.v},
                                      {"O", TensorRole::output, heads, arguments.out_dtype, arguments.o}};
  const Dims state{arguments.q_heads};
  if (arguments.m) tensors.push_back({"m", TensorRole::output, state, DType::f32, *arguments.m});
  if (arguments.l) tensors.push_back({"l", TensorRole::output, state, DType::f32, *arguments.l});
  return tensors;
}

std::vector<ScenarioTensor> tensors_of(const GqaSplitArguments& arguments) {
  std::vector<ScenarioTensor> tensors = tensors_of(arguments.decode);
  const Dims states{arguments.splits, arguments.decode.q_heads};
  const Dims sums{arguments.splits, arguments.decode.q_heads, arguments.decode.head_dim};
  tensors.push_back({"m_parts", TensorRole::output, states, DType::f32, arguments.m_parts});
  tensors.push_back({"l_parts", TensorRole::output, states, DType::f32, arguments.l_parts});
  tensors.push_back({"O_parts", TensorRole::output, sums, DType::f32, arguments.o_parts});
  return tensors;
}

std::vector<ScenarioTensor> tensors_of(const GemmArguments& arguments) {
  return {{"A", TensorRole::input, {arguments.m, arguments.k}, arguments.dtype, arguments.a},
          {"B", TensorRole::input, {arguments.k, arguments.n}, arguments.dtype, arguments.b},
          {"C", TensorRole::output, {arguments.m, arguments.n}, arguments.out_dtype, arguments.c}};
}

}  // namespace petal
