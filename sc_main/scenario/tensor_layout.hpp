// SPDX-License-Identifier: Apache-2.0
//
// Where the tensors of decode and of a GEMM lie in HBM: placed by an AddressCursor in the order Q, K, V, O,
// m, l (m_parts, l_parts, O_parts) or A, B, C. With an HBM for each PE every PE uses the same addresses in
// its own memory.
#pragma once

#include <vector>
#include "petal/config/scenario_config.hpp"

#include "petal/host/kernels/kernel_catalog.hpp"
#include "petal/scenario/scenario_tensor.hpp"

namespace petal {

/// Throws ConfigError if the tensors do not fit in `capacity`.
GqaDecodeArguments decode_arguments(const WorkloadConfig& workload, Bytes capacity);
GqaSplitArguments split_arguments(const WorkloadConfig& workload, Bytes capacity);
GemmArguments gemm_arguments(const WorkloadConfig& workload, Bytes capacity);

/// The tensors of those arguments, in the order of their addresses.
std::vector<ScenarioTensor> tensors_of(const GqaDecodeArguments& arguments);
std::vector<ScenarioTensor> tensors_of(const GqaSplitArguments& arguments);
std::vector<ScenarioTensor> tensors_of(const GemmArguments& arguments);

}  // namespace petal
