// SPDX-License-Identifier: Apache-2.0
#include "petal/host/tl_context.hpp"

#include <fmt/format.h>

#include <limits>
#include <string>
#include <utility>

#include "petal/command/error.hpp"
#include "petal/command/math_rules.hpp"
#include "petal/host/composite_builder.hpp"
#include "petal/host/gemm_rules.hpp"
#include "petal/host/tensor_checks.hpp"

namespace petal {
namespace {

constexpr std::string_view kLoadIt = "load() it first";

std::shared_ptr<const RecipeTable> recipes_or_standard(const std::shared_ptr<const RecipeTable>& given) {
  return given ? given : std::make_shared<const RecipeTable>(RecipeTable::standard());
}

std::uint32_t checked_nbytes(const char* op, const char* operand, const TensorHandle& handle) {
  constexpr std::uint64_t kLimit = std::numeric_limits<std::uint32_t>::max();
  const std::uint64_t bytes = handle.bytes().count();
  if (bytes > kLimit)
    throw EmitError(op, operand,
                    fmt::format("{} has {} bytes, but one DMA command moves at most {}", handle.to_string(),
                                bytes, kLimit),
                    "move it in several pieces");
  return static_cast<std::uint32_t>(bytes);
}

void require_contiguous_rows(const char* op, const char* operand, const TensorHandle& handle) {
  if (has_contiguous_rows(handle)) return;
  throw EmitError(op, operand, fmt::format("the rows of {} are not contiguous in memory", handle.to_string()),
                  "move a tensor whose last axis has stride 1");
}

std::string_view operand_name(const MathCall& call, std::size_t index) {
  return index < call.operands.size() ? schema_of(call.op).operands[index] : "out";
}

[[noreturn]] void refuse(const MathCall& call, const MathProblem& problem) {
  throw EmitError(std::string(call.name), std::string(operand_name(call, problem.operand)), problem.problem,
                  problem.remedy);
}

}  // namespace

TlContext::TlContext(CommandSink& sink, TlOptions options)
    : options_(std::move(options)),
      recipes_(recipes_or_standard(options_.recipes)),
      arena_(std::make_shared<ScratchArena>(options_.arena)),
      recipe_scratch_(*arena_),
      composites_(options_.lowerings_kept),
      emitter_(sink, options_.first_completion, options_.max_outstanding_commands) {
  if (options_.program_id >= options_.num_programs)
    throw ConfigError(
        fmt::format("program_id {} does not exist among {} programs; give one below num_programs",
                    options_.program_id, options_.num_programs));
  if (options_.first_completion == kNoCompletion)
    throw ConfigError("first_completion 0 names no completion; number commands from 1");
}

TensorHandle TlContext::ref(std::uint64_t address, const Dims& shape, DType dtype,
                            const Dims& strides) const {
  return checked_ref("ref", address, shape, dtype, strides);
}

TensorHandle TlContext::trans(const TensorHandle& handle) const {
  if (handle.shape.rank() < 2)
    throw EmitError("trans", "handle", fmt::format("{} has fewer than two axes", handle.to_string()),
                    "transpose a matrix");
  return transposed(handle);
}

TensorHandle TlContext::empty(const Dims& shape, DType dtype) {
  return arena_->allocate("empty", shape, dtype);
}

TensorHandle TlContext::zeros(const Dims& shape, DType dtype) {
  return issue_math({"zeros", Opcode::fill, {}, {0.0F}, arena_->allocate("zeros", shape, dtype)});
}

TensorHandle TlContext::full(const Dims& shape, float value, DType dtype) {
  return issue_math({"full", Opcode::fill, {}, {value}, arena_->allocate("full", shape, dtype)});
}

TensorHandle TlContext::load(const TensorHandle& src) {
  if (src.space != Space::hbm)
    throw EmitError("load", "src", fmt::format("{} is in TCM already", src.to_string()), "use it as it is");
  require_valid("load", "src", src, *arena_);
  const bool as_stored = has_contiguous_rows(src);
  const bool is_transposed = !as_stored && src.shape.rank() >= 2 && has_contiguous_rows(transposed(src));
  DmaReadCmd command;
  command.src = is_transposed ? transposed(src) : src;
  require_contiguous_rows("load", "src", command.src);
  command.nbytes = checked_nbytes("load", "src", src);
  command.dst = arena_->allocate("load", command.src.shape, src.dtype);
  TensorHandle loaded = is_transposed ? transposed(command.dst) : command.dst;
  loaded.pending = emitter_.issue_primitive(command);
  return loaded;
}

void TlContext::store(const TensorHandle& dst, const TensorHandle& value) {
  if (dst.space != Space::hbm)
    throw EmitError("store", "dst", fmt::format("{} lies in TCM", dst.to_string()), "give a ref() to HBM");
  require_in_tcm("store", "value", value, *arena_, kLoadIt);
  require_valid("store", "dst", dst, *arena_);
  require_writable("store", "dst", dst);
  if (dst.shape != value.shape || dst.dtype != value.dtype)
    throw EmitError("store", "value",
                    fmt::format("{} is not of dst's form, {}", value.to_string(), dst.to_string()),
                    "store a tensor of dst's shape and dtype");
  require_contiguous_rows("store", "dst", dst);
  require_contiguous_rows("store", "value", value);
  DmaWriteCmd command;
  command.src = value;
  command.dst = dst;
  command.nbytes = checked_nbytes("store", "value", value);
  emitter_.issue_primitive(command);
}

TensorHandle TlContext::dot(const TensorHandle& a, const TensorHandle& b, const DotOptions& options) {
  require_in_tcm("dot", "a", a, *arena_, kLoadIt);
  require_in_tcm("dot", "b", b, *arena_, kLoadIt);
  const GemmShape shape = checked_gemm_shape("dot", a, b);
  gemm_extras("dot", a, shape, options.scale);
  ScratchTransaction transaction(*arena_);
  GemmCmd command;
  command.a = a;
  command.b = b;
  command.out =
      options.out ? *options.out : arena_->allocate("dot", {shape.m, shape.n}, default_gemm_dtype(a));
  require_in_tcm("dot", "out", command.out, *arena_, "leave out off and store() the result");
  check_gemm_out("dot", a, b, command.out);
  command.m = static_cast<std::uint32_t>(shape.m);
  command.k = static_cast<std::uint32_t>(shape.k);
  command.n = static_cast<std::uint32_t>(shape.n);
  command.scale = options.scale;
  TensorHandle result = command.out;
  transaction.commit();
  result.pending = emitter_.issue_primitive(command);
  return result;
}

TensorHandle TlContext::composite(const CompositeRequest& request) {
  if (std::optional<CompositeCache::Served> known = composites_.serve(request, *arena_)) {
    known->result.pending = emitter_.issue_composite(known->composite);
    return known->result;
  }
  ScratchTransaction transaction(*arena_);
  const CompositeCache::ArenaLevel level(*arena_);
  BuiltComposite built = CompositeBuilder(request, options_, *recipes_, *arena_, recipe_scratch_).build();
  LoweredComposite composite = lowered(std::move(built.command), options_.composite_cap);
  transaction.commit();
  built.result.pending = emitter_.issue_composite(composite);
  composites_.keep(request, level, std::move(composite), built.result, *arena_);
  return built.result;
}

TensorHandle TlContext::issue_math(const MathCall& call) {
  for (std::size_t index = 0; index < call.operands.size(); ++index)
    require_in_tcm(call.name, operand_name(call, index), call.operands[index], *arena_, kLoadIt);
  if (const auto problem = find_operand_problem(call.op, call.operands, call.scalars)) refuse(call, *problem);
  ScratchTransaction transaction(*arena_);
  MathCmd command;
  command.kind = call.op;
  command.operands = call.operands;
  command.extras = call.scalars;
  command.out = call.out ? *call.out
                         : arena_->allocate(call.name, math_result_shape(call.op, call.operands),
                                            call.operands.front().dtype);
  require_in_tcm(call.name, "out", command.out, *arena_, "leave out off and store() the result");
  require_writable(call.name, "out", command.out);
  if (const auto problem = find_out_problem(call.op, call.operands, command.out)) refuse(call, *problem);
  TensorHandle result = command.out;
  transaction.commit();
  result.pending = emitter_.issue_primitive(std::move(command));
  return result;
}

void TlContext::wait(const TensorHandle& handle) {
  require_valid("wait", "handle", handle, *arena_);
  if (handle.pending >= emitter_.next_completion())
    throw EmitError("wait", "handle",
                    fmt::format("{} waits for completion {}, but the last one issued is {}",
                                handle.to_string(), handle.pending, emitter_.next_completion() - 1),
                    "wait for a handle that a call of this context returned");
  const std::vector<CompletionId> completions = emitter_.completions_of(handle);
  const bool was_done_before = handle.pending != kNoCompletion || emitter_.pending().has_forgotten();
  if (completions.empty() && !was_done_before)
    throw EmitError("wait", "handle", fmt::format("no command that was issued writes {}", handle.to_string()),
                    "wait for the result of a command");
  if (!completions.empty()) emitter_.sink().wait(completions);
}

void TlContext::cycles(std::uint64_t count) {
  constexpr std::uint64_t kLimit = std::numeric_limits<std::uint32_t>::max();
  if (count > kLimit)
    throw EmitError("cycles", "count", fmt::format("{} is more than one command's {}", count, kLimit),
                    "spend them in several calls");
  OverheadCmd command;
  command.cycles = static_cast<std::uint32_t>(count);
  emitter_.sink().overhead(command);
}

}  // namespace petal
