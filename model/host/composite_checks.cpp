// SPDX-License-Identifier: Apache-2.0
#include "petal/host/composite_checks.hpp"

#include <fmt/format.h>

#include "petal/command/error.hpp"
#include "petal/command/streaming_rules.hpp"

namespace petal {
namespace {

[[noreturn]] void refuse(std::string_view operand, const std::string& problem, const std::string& remedy) {
  throw EmitError("composite", std::string(operand), problem, remedy);
}

void refuse_if(bool given, std::string_view field, std::string_view remedy) {
  if (given) refuse(field, "this head has no use for it", std::string(remedy));
}

void require_streaming_allowed(std::string_view name, const TensorHandle& handle, const TlOptions& options) {
  if (options.math_head_streaming) return;
  refuse(name, fmt::format("{} lies in HBM, but a MATH op works in TCM", handle.to_string()),
         name == "out" ? "leave out off and store() the result, or set pe_scheduler.math_head_streaming: true"
                       : "load() it first, or set pe_scheduler.math_head_streaming: true");
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
  if (!touches_hbm(op)) return;
  for (std::size_t index = 0; index <= op.operands.size(); ++index) {
    const TensorHandle& handle = index < op.operands.size() ? op.operands[index] : *op.out;
    if (handle.space == Space::hbm) require_streaming_allowed(names[index], handle, options);
  }
  if (const auto problem = find_streaming_problem(op, options.gemm_tile.m * options.gemm_tile.n))
    refuse(names[problem->operand], problem->problem, problem->remedy);
}

}  // namespace petal
