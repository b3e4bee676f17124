// SPDX-License-Identifier: Apache-2.0
#include "petal/command/command_rules.hpp"

#include <fmt/format.h>

#include "petal/command/composite_rules.hpp"
#include "petal/command/schema_rules.hpp"

namespace petal {
namespace {

using Problem = std::optional<std::string>;

Problem find_space_error(const char* op, std::string_view operand, const TensorHandle& tensor,
                         Space expected) {
  if (tensor.space == expected) return std::nullopt;
  return fmt::format("{}: {} is {}, but it must lie in {}", op, operand, tensor.to_string(),
                     name_of(expected));
}

Problem find_dma_error(const char* op, const TensorHandle& src, const TensorHandle& dst, std::uint32_t nbytes,
                       Space from, Space to) {
  if (auto problem = find_space_error(op, "src", src, from)) return problem;
  if (auto problem = find_space_error(op, "dst", dst, to)) return problem;
  if (src.shape != dst.shape || src.dtype != dst.dtype)
    return fmt::format("{}: src {} and dst {} differ; give both one shape and dtype", op, src.to_string(),
                       dst.to_string());
  if (src.bytes() != Bytes(nbytes))
    return fmt::format("{}: nbytes is {}, but src {} has {} bytes", op, nbytes, src.to_string(),
                       src.bytes().count());
  return std::nullopt;
}

Problem find_matrix_error(const char* operand, const TensorHandle& tensor, const Dims& expected) {
  if (tensor.shape != expected)
    return fmt::format("gemm: {} is {}, but m, k and n make it {}", operand, tensor.to_string(),
                       expected.to_string());
  return find_space_error("gemm", operand, tensor, Space::tcm);
}

struct FindError {
  Problem operator()(const DmaReadCmd& command) const {
    return find_dma_error("dma_read", command.src, command.dst, command.nbytes, Space::hbm, Space::tcm);
  }

  Problem operator()(const DmaWriteCmd& command) const {
    return find_dma_error("dma_write", command.src, command.dst, command.nbytes, Space::tcm, Space::hbm);
  }

  Problem operator()(const GemmCmd& command) const {
    if (auto problem = find_matrix_error("a", command.a, {command.m, command.k})) return problem;
    if (auto problem = find_matrix_error("b", command.b, {command.k, command.n})) return problem;
    return find_matrix_error("out", command.out, {command.m, command.n});
  }

  Problem operator()(const MathCmd& command) const {
    if (command.kind == Opcode::gemm) return "gemm: a MathCmd cannot carry a GEMM; use a GemmCmd";
    if (auto problem = find_schema_error(command.kind, command.operands, command.extras)) return problem;
    const OpcodeSchema& schema = schema_of(command.kind);
    const std::string name(schema.name);
    for (std::size_t index = 0; index < command.operands.size(); ++index)
      if (auto problem =
              find_space_error(name.c_str(), schema.operands[index], command.operands[index], Space::tcm))
        return problem;
    return find_space_error(name.c_str(), "out", command.out, Space::tcm);
  }

  Problem operator()(const CompositeCmd& command) const { return find_structural_error(command); }

  Problem operator()(const OverheadCmd&) const { return std::nullopt; }
};

}  // namespace

std::optional<std::string> find_command_error(const PeCommand& command) {
  return std::visit(FindError{}, command);
}

}  // namespace petal
