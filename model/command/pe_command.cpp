// SPDX-License-Identifier: Apache-2.0
#include "petal/command/pe_command.hpp"

namespace petal {
namespace {

constexpr std::uint64_t kFraming = 4;
constexpr std::uint64_t kOpcode = 1;
constexpr std::uint64_t kEnum = 1;
constexpr std::uint64_t kHandle = 8;
constexpr std::uint64_t kScalar = 4;
constexpr std::uint64_t kBool = 1;
constexpr std::uint64_t kTag = 1;
constexpr std::uint64_t kListMarker = 1;

std::uint64_t bytes_of(const ScalarList& extras) {
  std::uint64_t sum = 0;
  for (const ScalarValue& value : extras) sum += logical_bytes(value).count();
  return sum;
}

struct CountBytes {
  std::uint64_t operator()(const DmaReadCmd&) const { return kFraming + 2 * kHandle + kScalar; }
  std::uint64_t operator()(const DmaWriteCmd&) const { return kFraming + 2 * kHandle + kScalar; }
  std::uint64_t operator()(const GemmCmd& command) const {
    return kFraming + 3 * kHandle + 3 * kScalar + (command.scale ? kScalar : 0);
  }
  std::uint64_t operator()(const MathCmd& command) const {
    return kFraming + kOpcode + kHandle * command.operands.size() + kHandle + bytes_of(command.extras);
  }
  std::uint64_t operator()(const CompositeCmd& command) const {
    std::uint64_t sum = header_bytes(command).count();
    for (const OpSpec& op : command.ops) sum += logical_bytes(op).count();
    return sum;
  }
  std::uint64_t operator()(const OverheadCmd&) const { return kFraming + kScalar; }
};

struct OpName {
  std::string_view operator()(const DmaReadCmd&) const { return "dma_read"; }
  std::string_view operator()(const DmaWriteCmd&) const { return "dma_write"; }
  std::string_view operator()(const GemmCmd&) const { return "gemm"; }
  std::string_view operator()(const MathCmd& command) const { return name_of(command.kind); }
  std::string_view operator()(const CompositeCmd& command) const {
    if (gemm_index(command.ops)) return "gemm";
    return command.ops.empty() ? "empty" : name_of(command.ops.front().kind);
  }
  std::string_view operator()(const OverheadCmd&) const { return "cycles"; }
};

}  // namespace

const char* kind_name(const PeCommand& command) {
  constexpr const char* kNames[] = {"DmaReadCmd", "DmaWriteCmd",  "GemmCmd",
                                    "MathCmd",    "CompositeCmd", "OverheadCmd"};
  return kNames[command.index()];
}

std::string_view op_name(const PeCommand& command) {
  return std::visit(OpName{}, command);
}

const CommandFraming& framing_of(const PeCommand& command) {
  return std::visit([](const CommandFraming& framing) -> const CommandFraming& { return framing; }, command);
}

CommandFraming& framing_of(PeCommand& command) {
  return std::visit([](CommandFraming& framing) -> CommandFraming& { return framing; }, command);
}

std::optional<std::size_t> gemm_index(const std::vector<OpSpec>& ops) {
  for (std::size_t index = 0; index < ops.size(); ++index)
    if (ops[index].kind == Opcode::gemm) return index;
  return std::nullopt;
}

Bytes logical_bytes(const ScalarValue& value) {
  switch (type_of(value)) {
    case ScalarType::i32:
    case ScalarType::f32:
      return Bytes(kScalar);
    case ScalarType::boolean:
      return Bytes(kBool);
    case ScalarType::tag:
      return Bytes(kTag);
    case ScalarType::tuple:
      return Bytes(kListMarker + kScalar * std::get<std::vector<std::int32_t>>(value).size());
  }
  return Bytes(0);
}

Bytes logical_bytes(const OpSpec& op) {
  return Bytes(kOpcode + kEnum + kListMarker + kHandle * op.operands.size() + (op.out ? kHandle : 0) +
               kListMarker + bytes_of(op.extras));
}

Bytes logical_bytes(const PeCommand& command) {
  return Bytes(std::visit(CountBytes{}, command));
}

Bytes header_bytes(const CompositeCmd& composite) {
  return Bytes(kFraming + kListMarker + kHandle * composite.rw_handles.size() + kListMarker);
}

}  // namespace petal
