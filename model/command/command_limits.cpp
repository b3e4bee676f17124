// SPDX-License-Identifier: Apache-2.0
#include "petal/command/command_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <limits>

#include "petal/command/command_rules.hpp"
#include "petal/command/numeric_rules.hpp"
#include "petal/command/streaming_rules.hpp"

namespace petal {
namespace {

using Problem = std::optional<std::string>;

/// True if the data is more than `most` bytes. An axis of no elements counts as one, so that loops over the
/// other axes of an empty tensor are bounded too.
bool is_larger(const TensorHandle& tensor, Bytes most) {
  std::uint64_t bytes = size_of(tensor.dtype);
  if (bytes > most.count()) return true;
  for (const std::uint64_t size : tensor.shape) {
    if (size > 1 && bytes > most.count() / size) return true;
    bytes *= std::max<std::uint64_t>(size, 1);
  }
  return false;
}

/// Calls find(tensor) for each tensor of a command until it finds a problem.
template <typename Find>
class FirstOfTensors {
 public:
  explicit FirstOfTensors(Find find) : find_(find) {}

  Problem operator()(const DmaReadCmd& command) const { return first({command.src, command.dst}); }
  Problem operator()(const DmaWriteCmd& command) const { return first({command.src, command.dst}); }
  Problem operator()(const GemmCmd& command) const { return first({command.a, command.b, command.out}); }
  Problem operator()(const MathCmd& command) const {
    if (auto problem = first(command.operands)) return problem;
    return find_(command.out);
  }
  Problem operator()(const CompositeCmd& command) const {
    for (const OpSpec& op : command.ops) {
      if (auto problem = first(op.operands)) return problem;
      if (auto problem = find_(*op.out)) return problem;
    }
    return first(command.rw_handles);
  }
  Problem operator()(const OverheadCmd&) const { return std::nullopt; }

 private:
  template <typename Tensors>
  Problem first(const Tensors& tensors) const {
    for (const TensorHandle& tensor : tensors)
      if (auto problem = find_(tensor)) return problem;
    return std::nullopt;
  }
  Problem first(std::initializer_list<TensorHandle> tensors) const {
    return first<std::initializer_list<TensorHandle>>(tensors);
  }

  Find find_;
};

Problem find_size_error(const TensorHandle& tensor, const CommandLimits& limits) {
  const bool in_tcm = tensor.space == Space::tcm;
  if (in_tcm && tensor.range().end > limits.arena.count())
    return fmt::format("{} with strides {} is not all within the {} bytes of the TCM arena; place it below",
                       tensor.to_string(), tensor.strides.to_string(), limits.arena.count());
  const Bytes most = in_tcm ? limits.arena : limits.hbm_tensor;
  if (!is_larger(tensor, most)) return std::nullopt;
  return fmt::format("{} has more than the {} bytes that a tensor in {} can have; use a smaller one",
                     tensor.to_string(), most.count(), name_of(tensor.space));
}

/// The rules for a command of one kind, after those that all have in common.
class FindKindError {
 public:
  explicit FindKindError(const CommandLimits& limits) : limits_(limits) {}

  Problem operator()(const DmaReadCmd& command) const { return find_dma_error("dma_read", command.dst); }
  Problem operator()(const DmaWriteCmd& command) const { return find_dma_error("dma_write", command.dst); }

  Problem operator()(const GemmCmd& command) const {
    constexpr auto kMost = static_cast<std::uint32_t>(std::numeric_limits<std::int32_t>::max());
    for (const std::uint32_t size : {command.m, command.k, command.n})
      if (size > kMost) return fmt::format("gemm: a size of {}, but it can be at most {}", size, kMost);
    if (auto problem = find_engine_error("gemm", limits_.has_gemm, "GEMM")) return problem;
    if (auto problem = find_engine_error("gemm", limits_.has_fetch_store, "FETCH_STORE")) return problem;
    return find_gemm_numeric_error(command.a, command.b, command.out);
  }

  Problem operator()(const MathCmd& command) const {
    const std::string_view name = name_of(command.kind);
    if (auto problem = find_math_engine_error(name)) return problem;
    if (const auto problem =
            find_math_numeric_error(command.kind, command.operands, command.extras, command.out))
      return fmt::format("{}: {}", name, *problem);
    return std::nullopt;
  }

  Problem operator()(const CompositeCmd& command) const {
    const auto gemm = gemm_index(command.ops);
    for (std::size_t index = 0; index < command.ops.size(); ++index) {
      const OpSpec& op = command.ops[index];
      if (const auto problem =
              op.kind == Opcode::gemm ? find_head_error(op) : find_math_op_error(op, command, gemm))
        return fmt::format("op {} ({}): {}", index, name_of(op.kind), *problem);
    }
    return std::nullopt;
  }

  Problem operator()(const OverheadCmd&) const { return std::nullopt; }

 private:
  static Problem find_engine_error(std::string_view op, bool exists, const char* engine) {
    if (exists) return std::nullopt;
    return fmt::format("{} needs the {} engine, which this PE does not have", op, engine);
  }

  Problem find_math_engine_error(std::string_view op) const {
    if (auto problem = find_engine_error(op, limits_.has_math, "MATH")) return problem;
    return find_engine_error(op, limits_.has_fetch_store, "FETCH_STORE");
  }

  Problem find_dma_error(const char* op, const TensorHandle& dst) const {
    if (auto problem = find_engine_error(op, limits_.has_dma, "DMA")) return problem;
    if (const auto problem = find_write_problem(dst)) return fmt::format("{}: dst: {}", op, *problem);
    return std::nullopt;
  }

  Problem find_head_error(const OpSpec& gemm) const {
    if (auto problem = find_engine_error("it", limits_.has_gemm, "GEMM")) return problem;
    if (auto problem = find_engine_error("it", limits_.has_fetch_store, "FETCH_STORE")) return problem;
    if (touches_hbm(gemm))
      if (auto problem = find_engine_error("it", limits_.has_dma, "DMA")) return problem;
    return find_gemm_numeric_error(gemm.operands[0], gemm.operands[1], *gemm.out);
  }

  Problem find_math_op_error(const OpSpec& op, const CompositeCmd& command,
                             std::optional<std::size_t> gemm) const {
    if (auto problem = find_math_engine_error("it")) return problem;
    if (!gemm && touches_hbm(op))
      if (auto problem = find_streamed_error(op)) return problem;
    if (auto problem = find_math_numeric_error(op.kind, op.operands, op.extras, *op.out)) return problem;
    return gemm ? find_accumulator_error(op, command.ops[*gemm]) : std::nullopt;
  }

  Problem find_streamed_error(const OpSpec& op) const {
    if (!limits_.math_head_streaming)
      return "it names a tensor in HBM; load it into TCM first, or set pe_scheduler.math_head_streaming: "
             "true";
    if (auto problem = find_engine_error("it", limits_.has_dma, "DMA")) return problem;
    if (const auto problem = find_operand_problem(op.kind, op.operands, op.extras))
      return fmt::format("{}; {}", problem->problem, problem->remedy);
    if (const auto problem = find_streaming_problem(op, limits_.gemm_tile.m * limits_.gemm_tile.n))
      return fmt::format("{}; {}", problem->problem, problem->remedy);
    return std::nullopt;
  }

  const CommandLimits& limits_;
};

}  // namespace

std::optional<std::string> find_limit_error(const PeCommand& command, const CommandLimits& limits) {
  if (auto problem = find_command_error(command)) return problem;
  const auto find_size = [&limits](const TensorHandle& tensor) { return find_size_error(tensor, limits); };
  if (auto problem = std::visit(FirstOfTensors(find_size), command)) return problem;
  return std::visit(FindKindError(limits), command);
}

}  // namespace petal
