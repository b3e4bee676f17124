// SPDX-License-Identifier: Apache-2.0
#include "petal/command/composite_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "petal/command/schema_rules.hpp"

namespace petal {
namespace {

using Problem = std::optional<std::string>;

/// "op 3 (add)": how a message names an op.
std::string op_at(const CompositeCmd& composite, std::size_t index) {
  return fmt::format("op {} ({})", index, name_of(composite.ops[index].kind));
}

Problem find_op_error(const CompositeCmd& composite) {
  if (composite.ops.empty()) return "the composite has no ops; give it at least one";
  for (std::size_t index = 0; index < composite.ops.size(); ++index) {
    const OpSpec& op = composite.ops[index];
    if (const auto problem = find_schema_error(op.kind, op.operands, op.extras))
      return fmt::format("op {}: {}", index, *problem);
    if (!op.out) return fmt::format("{} has no out; name the tensor it writes", op_at(composite, index));
    if (op.scope > Scope::output_tile)
      return fmt::format("{} has the unknown scope {}; use KERNEL, K_TILE or OUTPUT_TILE",
                         op_at(composite, index), static_cast<unsigned>(op.scope));
  }
  return std::nullopt;
}

/// `gemm` is the GEMM's index, or the number of ops if there is none.
Problem find_placement_error(const CompositeCmd& composite, std::size_t gemm) {
  const std::size_t ops = composite.ops.size();
  for (std::size_t index = 0; index < ops; ++index) {
    const Scope scope = composite.ops[index].scope;
    if (index > gemm && composite.ops[index].kind == Opcode::gemm)
      return fmt::format("{} is a second GEMM beside {}; a composite has at most one",
                         op_at(composite, index), op_at(composite, gemm));
    if (scope == Scope::kernel) continue;
    if (gemm == ops)
      return fmt::format("{} has scope {} in a composite without a GEMM; use KERNEL", op_at(composite, index),
                         name_of(scope));
    if (index <= gemm)
      return fmt::format("{} has scope {}, but up to the GEMM (op {}) every scope is KERNEL",
                         op_at(composite, index), name_of(scope), gemm);
    if (index > gemm + 1 && composite.ops[index - 1].scope == Scope::kernel)
      return fmt::format("{} has scope {} after {} with scope KERNEL; tile ops follow the GEMM at once",
                         op_at(composite, index), name_of(scope), op_at(composite, index - 1));
  }
  return std::nullopt;
}

Problem find_shape_error(const std::string& op, const char* operand, const TensorHandle& tensor,
                         const Dims& expected) {
  if (tensor.shape == expected) return std::nullopt;
  return fmt::format("{}: {} is {}, but m, k and n make it {}", op, operand, tensor.to_string(),
                     expected.to_string());
}

bool is_without_gaps(const TensorHandle& tensor) {
  const ByteRange range = tensor.range();
  return range.end - range.begin == tensor.bytes().count();
}

/// Bounding intervals of tensors with gaps may overlap though no element does, so only the certain case is
/// refused.
Problem find_overlap_error(const std::string& op, const char* operand, const TensorHandle& input,
                           const TensorHandle& out) {
  if (!is_without_gaps(input) || !is_without_gaps(out) || !input.range().overlaps(out.range()))
    return std::nullopt;
  return fmt::format("{}: out {} overlaps {} {}; give it memory of its own", op, out.to_string(), operand,
                     input.to_string());
}

Problem find_gemm_error(const CompositeCmd& composite, std::size_t index) {
  const OpSpec& gemm = composite.ops[index];
  const std::string name = op_at(composite, index);
  const GemmShape shape = gemm_shape_of(gemm);
  const TensorHandle& a = gemm.operands[0];
  const TensorHandle& b = gemm.operands[1];
  if (auto problem = find_shape_error(name, "a", a, {shape.m, shape.k})) return problem;
  if (auto problem = find_shape_error(name, "b", b, {shape.k, shape.n})) return problem;
  if (auto problem = find_shape_error(name, "out", *gemm.out, {shape.m, shape.n})) return problem;
  if (auto problem = find_overlap_error(name, "a", a, *gemm.out)) return problem;
  return find_overlap_error(name, "b", b, *gemm.out);
}

Problem find_tile_op_error(const CompositeCmd& composite, std::size_t index,
                           const TensorHandle& accumulator) {
  const OpSpec& op = composite.ops[index];
  const char* scope = name_of(op.scope);
  if (schema_of(op.kind).reduces)
    return fmt::format("{} is a reduction with scope {}; a tile op keeps the shape of the accumulator",
                       op_at(composite, index), scope);
  if (op.operands.empty() || !op.operands[0].same_tensor(accumulator))
    return fmt::format(
        "{} with scope {} has {} as its first operand; name the accumulator, the GEMM's out {}",
        op_at(composite, index), scope, op.operands.empty() ? "nothing" : op.operands[0].to_string(),
        accumulator.to_string());
  if (!op.out->same_tensor(accumulator))
    return fmt::format("{} with scope {} writes {}; its out is the GEMM's, {}", op_at(composite, index),
                       scope, op.out->to_string(), accumulator.to_string());
  return std::nullopt;
}

/// The first tensor of a MATH op that the op cannot reach because it is in HBM. The first operand of a tile
/// op is the accumulator, wherever the GEMM's out lies.
const TensorHandle* find_unreachable(const OpSpec& op) {
  const bool is_tile_op = op.scope != Scope::kernel;
  const auto from = op.operands.begin() + (is_tile_op ? 1 : 0);
  const auto found =
      std::find_if(from, op.operands.end(), [](const TensorHandle& tensor) { return !tensor.pinned(); });
  if (found != op.operands.end()) return &*found;
  return is_tile_op || op.out->pinned() ? nullptr : &*op.out;
}

Problem find_math_error(const CompositeCmd& composite, std::size_t index, std::size_t gemm) {
  const OpSpec& op = composite.ops[index];
  const TensorHandle& accumulator = *composite.ops[gemm].out;
  if (op.scope != Scope::kernel)
    if (auto problem = find_tile_op_error(composite, index, accumulator)) return problem;
  if (op.scope == Scope::kernel && index > gemm && !accumulator.pinned())
    return fmt::format("{} has scope KERNEL after the GEMM, whose out {} is in HBM; keep that out in TCM",
                       op_at(composite, index), accumulator.to_string());
  if (const TensorHandle* tensor = find_unreachable(op))
    return fmt::format("{} names {}, which is in HBM; load it into TCM first", op_at(composite, index),
                       tensor->to_string());
  return std::nullopt;
}

}  // namespace

std::optional<std::string> find_structural_error(const CompositeCmd& composite) {
  if (auto problem = find_op_error(composite)) return problem;
  const std::size_t ops = composite.ops.size();
  const std::size_t gemm = gemm_index(composite.ops).value_or(ops);
  if (auto problem = find_placement_error(composite, gemm)) return problem;
  if (gemm == ops) return std::nullopt;
  if (auto problem = find_gemm_error(composite, gemm)) return problem;
  for (std::size_t index = 0; index < ops; ++index)
    if (index != gemm)
      if (auto problem = find_math_error(composite, index, gemm)) return problem;
  return std::nullopt;
}

}  // namespace petal
