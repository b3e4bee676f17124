// SPDX-License-Identifier: Apache-2.0
#include "sample_commands.hpp"

namespace petal::test {
namespace {

const TensorHandle kQ = in_tcm(0x0000, {kHeads, kHeadDim}, DType::f16);
const TensorHandle kS = in_tcm(0x1000, {kHeads, kKeys});
const TensorHandle kP = in_tcm(0x2000, {kHeads, kKeys});
const TensorHandle kO = in_tcm(0x3000, {kHeads, kHeadDim});
const TensorHandle kM = in_tcm(0x4000, {kHeads});
const TensorHandle kL = in_tcm(0x4040, {kHeads});
const TensorHandle kMLoc = in_tcm(0x4080, {kHeads});
const TensorHandle kMNew = in_tcm(0x40C0, {kHeads});
const TensorHandle kCorr = in_tcm(0x4100, {kHeads});
const TensorHandle kLLoc = in_tcm(0x4140, {kHeads});
const TensorHandle kK = in_hbm(0x10000, {kKeys, kHeadDim});
const TensorHandle kV = in_hbm(0x20000, {kKeys, kHeadDim});

ScalarList sizes(std::uint64_t m, std::uint64_t k, std::uint64_t n) {
  return {static_cast<std::int32_t>(m), static_cast<std::int32_t>(k), static_cast<std::int32_t>(n)};
}

}  // namespace

TensorHandle in_tcm(std::uint64_t address, const Dims& shape, DType dtype) {
  return dense_tensor(Space::tcm, address, shape, dtype);
}

TensorHandle in_hbm(std::uint64_t address, const Dims& shape, DType dtype) {
  return dense_tensor(Space::hbm, address, shape, dtype);
}

OpSpec op(Opcode kind, OperandList operands, const TensorHandle& out, ScalarList extras, Scope scope) {
  return {kind, scope, std::move(operands), std::move(extras), out};
}

std::vector<OpSpec> merge_ops() {
  return {op(Opcode::rmax, {kS}, kMLoc, {-1}),         op(Opcode::max_elem, {kM, kMLoc}, kMNew),
          op(Opcode::exp_diff, {kM, kMNew}, kCorr),    op(Opcode::exp_diff, {kS, kMNew}, kP, {0}),
          op(Opcode::rsum, {kP}, kLLoc, {-1}),         op(Opcode::fma, {kL, kCorr, kLLoc}, kL),
          op(Opcode::mul_bcast, {kO, kCorr}, kO, {1}), op(Opcode::copy, {kMNew}, kM)};
}

std::vector<PeCommand> merge_commands() {
  std::vector<PeCommand> commands;
  for (const OpSpec& step : merge_ops()) {
    MathCmd command;
    command.kind = step.kind;
    command.operands = step.operands;
    command.extras = step.extras;
    command.out = *step.out;
    commands.emplace_back(command);
  }
  return commands;
}

CompositeCmd scores_composite(bool scale) {
  ScalarList extras = sizes(kHeads, kHeadDim, kKeys);
  if (scale) extras.emplace_back(0.088388F);
  CompositeCmd composite;
  composite.ops = {op(Opcode::gemm, {kQ, transposed(kK)}, kS, extras)};
  composite.rw_handles = {kS};
  return composite;
}

CompositeCmd values_composite() {
  CompositeCmd composite;
  composite.ops = {op(Opcode::gemm, {kP, kV}, kO, sizes(kHeads, kKeys, kHeadDim)),
                   op(Opcode::add, {kO, kO}, kO, {}, Scope::output_tile)};
  composite.rw_handles = {kO};
  return composite;
}

CompositeCmd merge_values_composite() {
  CompositeCmd composite;
  composite.ops = merge_ops();
  for (const OpSpec& step : values_composite().ops) composite.ops.push_back(step);
  composite.rw_handles = {kM, kL, kO};
  return composite;
}

std::vector<PeCommand> one_of_each_kind() {
  const TensorHandle k_copy = in_tcm(0x8000, {kKeys, kHeadDim}, DType::f16);
  DmaReadCmd read;
  read.src = kK;
  read.dst = k_copy;
  read.nbytes = 64 * 128 * 2;
  DmaWriteCmd write;
  write.src = k_copy;
  write.dst = kK;
  write.nbytes = 64 * 128 * 2;
  GemmCmd gemm;
  gemm.a = kQ;
  gemm.b = transposed(k_copy);
  gemm.out = kS;
  gemm.m = kHeads;
  gemm.k = kHeadDim;
  gemm.n = kKeys;
  OverheadCmd overhead;
  overhead.cycles = 20;
  std::vector<PeCommand> commands = {read,    write, gemm, merge_commands().front(), merge_values_composite(),
                                     overhead};
  for (std::size_t index = 0; index < commands.size(); ++index)
    framing_of(commands[index]).completion = index + 1;
  return commands;
}

}  // namespace petal::test
