// SPDX-License-Identifier: Apache-2.0
//
// The tensors of a decoder layer in HBM, and its results worked out in double precision.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "petal/config/scenario_config.hpp"
#include "petal/host/kernels/decoder_layer.hpp"
#include "petal/scenario/scenario_tensor.hpp"
#include "petal/scenario/tensor_data.hpp"

namespace petal {

/// Places the tensors in the order of `tensors_of`. Throws ConfigError if they do not fit in `capacity`.
DecoderLayerArguments layer_arguments(const WorkloadConfig& workload, Bytes capacity);

/// X, attention_norm, W_q, W_k, W_v, K_cache, K_new, V_cache, V_new, Q, A, W_o, R, mlp_norm, W_gate, W_up, F,
/// W_down, Y. What a launch writes is an output. K_new [tokens, kv_width] lies right behind K_cache [kv_len,
/// kv_width]: the two are one cache.
std::vector<ScenarioTensor> tensors_of(const DecoderLayerArguments& arguments);

/// The tensors that `kernel`, one of the layer's, writes, from the values of those that it reads.
std::map<std::string, std::vector<double>> layer_reference(LayerKernel kernel,
                                                           const DecoderLayerArguments& arguments,
                                                           const TensorValues& values);

}  // namespace petal
