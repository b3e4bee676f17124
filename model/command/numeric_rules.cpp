// SPDX-License-Identifier: Apache-2.0
#include "petal/command/numeric_rules.hpp"

#include <fmt/format.h>

#include "petal/command/math_rules.hpp"

namespace petal {
namespace {

using Problem = std::optional<std::string>;

bool repeats_along(const TensorHandle& tensor, std::size_t axis) {
  return tensor.shape[axis] > 1 && tensor.strides[axis] == 0;
}

/// The name of a MATH op's tensor; the number of operands stands for `out`.
std::string_view tensor_name(Opcode kind, std::size_t index) {
  const OpcodeSchema& schema = schema_of(kind);
  return index < schema.operands.size() ? schema.operands[index] : "out";
}

Problem as_line(Opcode kind, const std::optional<MathProblem>& problem) {
  if (!problem) return std::nullopt;
  return fmt::format("{}: {}; {}", tensor_name(kind, problem->operand), problem->problem, problem->remedy);
}

bool is_multiplied(DType dtype) {
  return is_floating(dtype) || dtype == DType::i8;
}

/// An operand that repeats values is read as one row or column, which only the arithmetic of matrices
/// repeats.
Problem find_repeat_error(Opcode kind, const OperandList& operands) {
  for (std::size_t index = 0; index < operands.size(); ++index) {
    const TensorHandle& operand = operands[index];
    if (!repeats_values(operand)) continue;
    const bool is_matrix = operand.shape.rank() <= 2;
    const bool has_shape_of_first = operand.shape == operands.front().shape;
    if (is_matrix && (has_shape_of_first || operands.front().shape.rank() == 2)) continue;
    return fmt::format("{}: {} repeats values with a stride of 0; copy it to a tensor without",
                       tensor_name(kind, index), operand.to_string());
  }
  return std::nullopt;
}

}  // namespace

bool repeats_values(const TensorHandle& tensor) {
  if (tensor.elements() == 0) return false;
  for (std::size_t axis = 0; axis < tensor.shape.rank(); ++axis)
    if (repeats_along(tensor, axis)) return true;
  return false;
}

std::optional<std::string> find_write_problem(const TensorHandle& tensor) {
  if (!repeats_values(tensor)) return std::nullopt;
  return fmt::format(
      "{} has several elements at one address (a stride of 0); write to a tensor whose "
      "elements are apart",
      tensor.to_string());
}

std::optional<std::string> find_gemm_numeric_error(const TensorHandle& a, const TensorHandle& b,
                                                   const TensorHandle& out) {
  if (!is_multiplied(a.dtype) || !is_multiplied(b.dtype) || is_floating(a.dtype) != is_floating(b.dtype))
    return fmt::format("gemm: {} cannot be multiplied by {}; use two floating dtypes, or i8 for both",
                       name_of(a.dtype), name_of(b.dtype));
  if (out.dtype == DType::boolean || (is_floating(a.dtype) && !is_floating(out.dtype)))
    return fmt::format("gemm: out {} cannot hold a product of {}; use {}", out.to_string(), name_of(a.dtype),
                       is_floating(a.dtype) ? "a floating dtype" : "i32, i8 or a floating dtype");
  for (const TensorHandle* const operand : {&a, &b})
    if (operand->pinned() && repeats_values(*operand))
      return fmt::format("gemm: {} repeats values with a stride of 0; copy it to a tensor without",
                         operand->to_string());
  if (const auto problem = find_write_problem(out)) return fmt::format("gemm: out: {}", *problem);
  return std::nullopt;
}

std::optional<std::string> find_math_numeric_error(Opcode kind, const OperandList& operands,
                                                   const ScalarList& extras, const TensorHandle& out) {
  if (auto problem = as_line(kind, find_operand_problem(kind, operands, extras))) return problem;
  if (auto problem = as_line(kind, find_out_problem(kind, operands, out))) return problem;
  if (const auto problem = find_write_problem(out)) return fmt::format("out: {}", *problem);
  return find_repeat_error(kind, operands);
}

std::optional<std::string> find_accumulator_error(const OpSpec& op, const OpSpec& gemm) {
  if (op.scope != Scope::k_tile || op.kind == Opcode::copy) return std::nullopt;
  if (is_floating(gemm.operands[0].dtype)) return std::nullopt;
  return fmt::format("scope K_TILE on a sum of integers ({}), but MATH computes in f32; use OUTPUT_TILE",
                     name_of(gemm.operands[0].dtype));
}

}  // namespace petal
