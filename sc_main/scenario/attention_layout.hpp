// SPDX-License-Identifier: Apache-2.0
//
// From a scenario, or from files, to the arguments of the attention kernel. Both come together in
// AttentionInputs: what forms the inputs have, whoever says so.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "petal/attention/attention_attributes.hpp"
#include "petal/attention/attention_reference.hpp"
#include "petal/config/scenario_config.hpp"
#include "petal/host/kernels/attention.hpp"
#include "petal/scenario/scenario_tensor.hpp"
#include "petal/scenario/tensor_data.hpp"

namespace petal {

/// What a tensor looks like, before it has a place.
struct TensorForm {
  Dims shape;
  DType dtype = DType::f32;
};

struct AttentionInputs {
  AttentionAttributes attributes;
  std::map<std::string, TensorForm> forms;  ///< by ONNX name, but for nonpad_kv_seqlen
  std::optional<std::vector<std::int64_t>> nonpad_kv_seqlen;
};

/// The input that is no tensor in memory: the kernel's loops depend on its values.
inline constexpr const char* kNonpadKvSeqlen = "nonpad_kv_seqlen";

/// The inputs of an attention without files: their shapes follow from the workload's keys.
AttentionInputs attention_inputs(const WorkloadConfig& workload);

/// The same with files. A file's shape wins over the workload's; if Q is among the files, they are all there
/// is. An f16 file is an f16 tensor, a bool file a boolean one; an f32 or f64 file is f32, or of the
/// workload's dtype if that is one that NumPy does not have. Throws ConfigError for a file of another type,
/// or of more than four axes; NpyError for one that cannot be read.
AttentionInputs attention_inputs(const WorkloadConfig& workload, const TensorFiles& files);

/// The arguments of the kernel, and the tensors as their users know them.
struct AttentionLayout {
  AttentionArguments arguments;
  std::vector<ScenarioTensor> tensors;  ///< in the order of their addresses
};

/// Places the inputs in HBM in the order Q, K, V, attn_mask, past_key, past_value, with Y behind them,
/// row-major without gaps. Tile and row block are the workload's. Throws ConfigError for inputs that the
/// operator does not allow, or that do not fit in `capacity`.
AttentionLayout attention_layout(const WorkloadConfig& workload, const AttentionInputs& inputs,
                                 Bytes capacity);

/// The inputs' values as the reference takes them.
AttentionValues attention_values(const AttentionProblem& problem, const TensorData& data);

}  // namespace petal
