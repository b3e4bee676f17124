// SPDX-License-Identifier: Apache-2.0
//
// The commands of one tile of GQA decode (SPEC 9): G = 4 query heads, TILE = 64 keys, d = 128.
#pragma once

#include "petal/command/pe_command.hpp"

namespace petal::test {

inline constexpr std::uint64_t kHeads = 4;
inline constexpr std::uint64_t kKeys = 64;
inline constexpr std::uint64_t kHeadDim = 128;

TensorHandle in_tcm(std::uint64_t address, const Dims& shape, DType dtype = DType::f32);
TensorHandle in_hbm(std::uint64_t address, const Dims& shape, DType dtype = DType::f16);

/// An op of scope KERNEL.
OpSpec op(Opcode kind, OperandList operands, const TensorHandle& out, ScalarList extras = {},
          Scope scope = Scope::kernel);

/// The eight ops of softmax_merge.
std::vector<OpSpec> merge_ops();
/// The same as primitive MATH commands.
std::vector<PeCommand> merge_commands();

/// S = scale * Q * trans(K), K in HBM; without a factor if `scale` is false.
CompositeCmd scores_composite(bool scale);
/// O = P * V + O, V in HBM.
CompositeCmd values_composite();
/// softmax_merge as the prologue of P * V + O: opt2's second composite.
CompositeCmd merge_values_composite();

/// One command of each kind, with completions 1, 2, ....
std::vector<PeCommand> one_of_each_kind();

}  // namespace petal::test
