// SPDX-License-Identifier: Apache-2.0
#include "petal/command/streaming_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace petal {
namespace {

using Problem = std::optional<MathProblem>;

bool is_in_hbm(const TensorHandle& tensor) {
  return tensor.space == Space::hbm;
}

/// True if a chunk of the op's elements needs a whole row of the source beside it.
bool needs_whole_rows(const OpSpec& op) {
  return schema_of(op.kind).reduces ||
         std::any_of(op.operands.begin(), op.operands.end(),
                     [&](const auto& operand) { return operand.shape != op.operands.front().shape; });
}

/// A chunk is cut along rows, so an operand beside the source has a value an element, a row, or one in all.
bool goes_with_chunks(const TensorHandle& operand, const TensorHandle& source) {
  return operand.shape == source.shape || operand.elements() == 1 || is_row_vector_of(operand, source);
}

Problem find_gap_problem(const OpSpec& op) {
  for (std::size_t index = 0; index <= op.operands.size(); ++index) {
    const TensorHandle& tensor = index < op.operands.size() ? op.operands[index] : *op.out;
    if (is_dense(tensor)) continue;
    return MathProblem{index,
                       fmt::format("{} has gaps, so it cannot be streamed in chunks", tensor.to_string()),
                       is_in_hbm(tensor) ? "load() it first" : "copy it to a tensor without gaps first"};
  }
  return std::nullopt;
}

Problem find_column_problem(const OpSpec& op) {
  for (std::size_t index = 1; index < op.operands.size(); ++index)
    if (!goes_with_chunks(op.operands[index], op.operands.front()))
      return MathProblem{index,
                         fmt::format("{} has one value a column, but streamed chunks are cut along rows",
                                     op.operands[index].to_string()),
                         "load() what lies in HBM first"};
  return std::nullopt;
}

Problem find_row_problem(const OpSpec& op, std::uint64_t chunk_elements) {
  const TensorHandle& source = op.operands.front();
  if (!needs_whole_rows(op) || source.elements() <= chunk_elements) return std::nullopt;
  if (chunk_elements % source.shape.back() == 0) return std::nullopt;
  return MathProblem{
      0,
      fmt::format("{} of {} crosses chunks: its rows have {} elements and a chunk has {}", name_of(op.kind),
                  source.to_string(), source.shape.back(), chunk_elements),
      "load() it first, or choose a pe_scheduler.gemm_tile whose m x n is a multiple of the row"};
}

}  // namespace

bool is_dense(const TensorHandle& tensor) {
  if (tensor.elements() == 0) return true;
  std::uint64_t stride = 1;
  for (std::size_t axis = tensor.shape.rank(); axis-- > 0;) {
    if (tensor.shape[axis] > 1 && tensor.strides[axis] != stride) return false;
    stride *= tensor.shape[axis];
  }
  return true;
}

bool touches_hbm(const OpSpec& op) {
  return std::any_of(op.operands.begin(), op.operands.end(), is_in_hbm) || (op.out && is_in_hbm(*op.out));
}

std::optional<MathProblem> find_streaming_problem(const OpSpec& op, std::uint64_t chunk_elements) {
  if (auto problem = find_gap_problem(op)) return problem;
  if (op.operands.empty()) return std::nullopt;
  if (auto problem = find_column_problem(op)) return problem;
  if (op.kind == Opcode::band_mask)
    return MathProblem{
        0, "band_mask counts rows and columns in the whole matrix, and a chunk is not cut along them",
        "load() it first"};
  return find_row_problem(op, chunk_elements);
}

}  // namespace petal
