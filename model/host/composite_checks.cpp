// SPDX-License-Identifier: Apache-2.0
#include "petal/host/composite_checks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "petal/command/error.hpp"
#include "petal/host/math_rules.hpp"
#include "petal/host/tensor_checks.hpp"

namespace petal {
namespace {

[[noreturn]] void refuse(std::string_view operand, const std::string& problem, const std::string& remedy) {
  throw EmitError("composite", std::string(operand), problem, remedy);
}

void refuse_if(bool given, std::string_view field, std::string_view remedy) {
  if (given) refuse(field, "this head has no use for it", std::string(remedy));
}

void require_streamable_tensor(std::string_view name, const TensorHandle& handle, const TlOptions& options) {
  if (!options.math_head_streaming)
    refuse(name, fmt::format("{} lies in HBM, but a MATH op works in TCM", handle.to_string()),
           name == "out"
               ? "leave out off and store() the result, or set pe_scheduler.math_head_streaming: true"
               : "load() it first, or set pe_scheduler.math_head_streaming: true");
  if (!is_dense(handle))
    refuse(name, fmt::format("{} has gaps, so it cannot be streamed in chunks", handle.to_string()),
           "load() it first");
}

/// True if a chunk of the head's elements needs a whole row of the source beside it.
bool needs_whole_rows(const OpSpec& op) {
  return schema_of(op.kind).reduces ||
         std::any_of(op.operands.begin(), op.operands.end(),
                     [&](const auto& operand) { return operand.shape != op.operands.front().shape; });
}

/// A chunk is cut along rows, so an operand beside the source has a value an element, a row, or one in all.
bool goes_with_chunks(const TensorHandle& operand, const TensorHandle& source) {
  return operand.shape == source.shape || operand.elements() == 1 || is_row_vector_of(operand, source);
}

void check_chunks(const OpSpec& op, const TlOptions& options) {
  for (std::size_t index = 1; index < op.operands.size(); ++index)
    if (!goes_with_chunks(op.operands[index], op.operands.front()))
      refuse(kMathHeadNames[index],
             fmt::format("{} has one value a column, but streamed chunks are cut along rows",
                         op.operands[index].to_string()),
             "load() what lies in HBM first");
  if (op.kind == Opcode::band_mask)
    refuse("a", "band_mask counts rows and columns in the whole matrix, and a chunk is not cut along them",
           "load() it first");
  const TensorHandle& source = op.operands.front();
  const std::uint64_t chunk = options.gemm_tile.m * options.gemm_tile.n;
  if (!needs_whole_rows(op) || source.elements() <= chunk || chunk % source.shape.back() == 0) return;
  refuse("a",
         fmt::format("{} of {} crosses chunks: its rows have {} elements and a chunk has {}",
                     name_of(op.kind), source.to_string(), source.shape.back(), chunk),
         "load() it first, or choose a pe_scheduler.gemm_tile whose m x n is a multiple of the row");
}

}  // namespace

void check_head_fields(const CompositeRequest& request) {
  if (request.op == "gemm") {
    const std::string_view remedy = "leave it off, or ask for op \"math\"";
    refuse_if(!request.math_op.empty(), "math_op", remedy);
    refuse_if(!request.math_scalars.empty(), "math_scalars", remedy);
    refuse_if(request.c.has_value(), "c", remedy);
    return;
  }
  if (request.op != "math") {
    refuse("op", fmt::format("'{}' is no head", request.op), "use \"gemm\" or \"math\"");
  }
  refuse_if(request.scale.has_value(), "scale", "leave it off, or use the scale op");
  if (!request.math_op.empty()) return;
  const std::string_view remedy = "leave it off, or name a math_op";
  refuse_if(request.a.has_value(), "a", remedy);
  refuse_if(request.b.has_value(), "b", remedy);
  refuse_if(request.c.has_value(), "c", remedy);
  refuse_if(!request.math_scalars.empty(), "math_scalars", remedy);
  refuse_if(request.out_ptr.has_value(), "out_ptr", "leave it off and store() the result");
  refuse_if(request.out_dtype.has_value(), "out_dtype", remedy);
}

void check_math_head_streaming(const OpSpec& op, const OperandNames& names, const TlOptions& options) {
  bool streams = false;
  for (std::size_t index = 0; index <= op.operands.size(); ++index) {
    const TensorHandle& handle = index < op.operands.size() ? op.operands[index] : *op.out;
    if (handle.space != Space::hbm) continue;
    require_streamable_tensor(names[index], handle, options);
    streams = true;
  }
  if (streams && !op.operands.empty()) check_chunks(op, options);
}

}  // namespace petal
