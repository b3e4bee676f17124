// SPDX-License-Identifier: Apache-2.0
//
// Where a scenario's tensors lie in HBM: one after the other from address 0, each at a multiple of 4096
// bytes, in the order Q, K, V, O or A, B, C. With an HBM for each PE every PE uses the same addresses in its
// own memory.
#pragma once

#include <vector>
#include "petal/config/scenario_config.hpp"

#include "petal/host/kernels/kernel_catalog.hpp"
#include "petal/scenario/scenario_tensor.hpp"

namespace petal {

/// Throws ConfigError if the tensors do not fit in `capacity`.
GqaDecodeArguments decode_arguments(const WorkloadConfig& workload, Bytes capacity);
GemmArguments gemm_arguments(const WorkloadConfig& workload, Bytes capacity);

/// The tensors of those arguments, in the order of their addresses.
std::vector<ScenarioTensor> tensors_of(const GqaDecodeArguments& arguments);
std::vector<ScenarioTensor> tensors_of(const GemmArguments& arguments);

}  // namespace petal
