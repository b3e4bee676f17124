// SPDX-License-Identifier: Apache-2.0
#include "petal/command/math_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace petal {
namespace {

/// How the shapes of an opcode's operands relate.
enum class ShapeRule { broadcast, row_vector_allowed, row_vector_required };

ShapeRule rule_of(Opcode kind) {
  if (kind == Opcode::exp_diff) return ShapeRule::row_vector_allowed;
  if (kind == Opcode::mul_bcast || kind == Opcode::div_bcast) return ShapeRule::row_vector_required;
  return ShapeRule::broadcast;
}

bool starts_with(const Dims& shape, const Dims& whole, std::size_t axes) {
  return std::equal(shape.begin(), shape.begin() + axes, whole.begin());
}

bool same_type_class(DType a, DType b) {
  return a == b || (is_floating(a) && is_floating(b));
}

bool is_mask_of_where(Opcode kind, std::size_t index) {
  return kind == Opcode::where && index == 1;
}

/// One value for all, or a value for each column, or a matrix in which an axis of 1 is repeated.
bool can_be_broadcast(const Dims& shape, const Dims& whole) {
  if (whole.rank() == 0 || whole.rank() > 2 || shape.rank() > whole.rank()) return false;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    const std::uint64_t size = whole[axis + whole.rank() - shape.rank()];
    if (shape[axis] != size && shape[axis] != 1) return false;
  }
  return true;
}

bool shape_fits(ShapeRule rule, const TensorHandle& operand, const TensorHandle& first) {
  switch (rule) {
    case ShapeRule::broadcast:
      return operand.shape == first.shape || can_be_broadcast(operand.shape, first.shape);
    case ShapeRule::row_vector_allowed:
      return operand.shape == first.shape || is_row_vector_of(operand, first);
    case ShapeRule::row_vector_required:
      return is_row_vector_of(operand, first);
  }
  return false;
}

const char* wanted_shape(ShapeRule rule) {
  switch (rule) {
    case ShapeRule::broadcast:
      return "give it the same shape, or one value for each column ([N] or [1, N]), each row ([M, 1]) or all "
             "([1])";
    case ShapeRule::row_vector_allowed:
      return "give it the same shape, or one value for each row";
    case ShapeRule::row_vector_required:
      return "give it one value for each row";
  }
  return "";
}

std::optional<MathProblem> find_axis_problem(const TensorHandle& source, const ScalarList& extras) {
  const auto rank = static_cast<std::int64_t>(source.shape.rank());
  if (rank == 0)
    return MathProblem{0, "a scalar has no axis to reduce", "reduce a tensor of one axis or more"};
  const auto* const axis = extras.empty() ? nullptr : std::get_if<std::int32_t>(&extras.front());
  if (axis && *axis != -1 && *axis != rank - 1)
    return MathProblem{0, fmt::format("axis {} of {} cannot be reduced", *axis, source.to_string()),
                       "reduce the last axis (-1)"};
  return std::nullopt;
}

std::optional<MathProblem> find_first_operand_problem(Opcode kind, const TensorHandle& first,
                                                      const ScalarList& extras) {
  if (schema_of(kind).reduces) return find_axis_problem(first, extras);
  if (kind == Opcode::band_mask && first.shape.rank() != 2)
    return MathProblem{0, fmt::format("{} has no rows and columns", first.to_string()), "give it a matrix"};
  return std::nullopt;
}

std::optional<MathProblem> find_type_problem(Opcode kind, std::size_t index, const TensorHandle& operand,
                                             const TensorHandle& first) {
  if (is_mask_of_where(kind, index)) {
    if (operand.dtype == DType::boolean || operand.dtype == DType::i8) return std::nullopt;
    return MathProblem{index, fmt::format("dtype {} is no mask", name_of(operand.dtype)),
                       "give it dtype boolean or i8"};
  }
  if (same_type_class(operand.dtype, first.dtype)) return std::nullopt;
  return MathProblem{
      index, fmt::format("dtype {} does not go with dtype {}", name_of(operand.dtype), name_of(first.dtype)),
      "make all operands floating, or all of one type"};
}

bool is_reduced_shape(const Dims& shape, const Dims& source) {
  const std::size_t rows = source.rank() - 1;
  if (rows == 0) return shape.rank() == 1 && shape[0] == 1;
  if (!starts_with(shape, source, std::min(shape.rank(), rows))) return false;
  return shape.rank() == rows || (shape.rank() == rows + 1 && shape.back() == 1);
}

bool is_out_shape(Opcode kind, const Dims& shape, const OperandList& operands) {
  if (operands.empty()) return true;
  if (schema_of(kind).reduces) return is_reduced_shape(shape, operands.front().shape);
  return shape == operands.front().shape;
}

}  // namespace

bool is_row_vector_of(const TensorHandle& vector, const TensorHandle& matrix) {
  return matrix.shape.rank() > 0 && is_reduced_shape(vector.shape, matrix.shape);
}

std::optional<MathProblem> find_operand_problem(Opcode kind, const OperandList& operands,
                                                const ScalarList& extras) {
  if (operands.empty()) return std::nullopt;
  const TensorHandle& first = operands.front();
  if (auto problem = find_first_operand_problem(kind, first, extras)) return problem;
  for (std::size_t index = 1; index < operands.size(); ++index) {
    const TensorHandle& operand = operands[index];
    const ShapeRule rule = index == 1 ? rule_of(kind) : ShapeRule::broadcast;
    if (!shape_fits(rule, operand, first))
      return MathProblem{index,
                         fmt::format("shape {} does not go with shape {}", operand.shape.to_string(),
                                     first.shape.to_string()),
                         wanted_shape(rule)};
    if (auto problem = find_type_problem(kind, index, operand, first)) return problem;
  }
  return std::nullopt;
}

Dims math_result_shape(Opcode kind, const OperandList& operands) {
  const Dims& source = operands.front().shape;
  if (!schema_of(kind).reduces) return source;
  if (source.rank() == 1) return Dims{1};
  Dims shape;
  for (std::size_t axis = 0; axis + 1 < source.rank(); ++axis) shape.push_back(source[axis]);
  return shape;
}

std::optional<MathProblem> find_out_problem(Opcode kind, const OperandList& operands,
                                            const TensorHandle& out) {
  const std::size_t out_index = operands.size();
  if (operands.empty()) return std::nullopt;
  if (!is_out_shape(kind, out.shape, operands))
    return MathProblem{out_index,
                       fmt::format("shape {} is not the result's shape {}", out.shape.to_string(),
                                   math_result_shape(kind, operands).to_string()),
                       "give an out of the result's shape"};
  if (!same_type_class(out.dtype, operands.front().dtype))
    return MathProblem{out_index,
                       fmt::format("dtype {} cannot hold a result of dtype {}", name_of(out.dtype),
                                   name_of(operands.front().dtype)),
                       "give a floating out for floating operands, else one of their type"};
  for (const TensorHandle& operand : operands) {
    if (!operand.same_tensor(out) && operand.range().overlaps(out.range()))
      return MathProblem{out_index,
                         fmt::format("{} overlaps the operand {} without being the same tensor",
                                     out.to_string(), operand.to_string()),
                         "write to the operand itself or to memory apart from it"};
  }
  return std::nullopt;
}

}  // namespace petal
