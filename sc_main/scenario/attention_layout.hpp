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
#include "petal/config/scenario_config.hpp"
#include "petal/host/kernels/attention.hpp"

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

/// The inputs of an attention without files: their shapes follow from the workload's keys.
AttentionInputs attention_inputs(const WorkloadConfig& workload);

/// Places the inputs in HBM in the order Q, K, V, attn_mask, past_key, past_value, with Y behind them,
/// row-major without gaps. Tile and row block are the workload's. Throws ConfigError for inputs that the
/// operator does not allow, or that do not fit in `capacity`.
AttentionArguments attention_arguments(const WorkloadConfig& workload, const AttentionInputs& inputs,
                                       Bytes capacity);

}  // namespace petal
