// SPDX-License-Identifier: Apache-2.0
#include "random_command.hpp"

#include <cstring>
#include <stdexcept>

namespace petal::test {

std::uint64_t RandomCommands::below(std::uint64_t limit) {
  const std::uint64_t high = word();  // not a distribution: those differ between libraries
  return (high << 32U | word()) % limit;
}

TensorHandle RandomCommands::tensor() {
  TensorHandle tensor;
  tensor.space = below(2) == 0 ? Space::hbm : Space::tcm;
  tensor.dtype = kAllDTypes[below(std::size(kAllDTypes))];
  tensor.address = below(std::uint64_t{1} << 48U);
  tensor.pending = below(3);
  const std::uint64_t rank = below(Dims::kMaxRank + 1);
  for (std::uint64_t axis = 0; axis < rank; ++axis) {
    tensor.shape.push_back(below(300));
    tensor.strides.push_back(below(100000));
  }
  return tensor;
}

float RandomCommands::any_float() {
  const std::uint32_t bits = word();
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

ScalarValue RandomCommands::scalar(const OpcodeSchema& schema, ScalarType type) {
  if (type == ScalarType::f32) return any_float();
  if (type != ScalarType::i32)
    throw std::logic_error("no opcode has a scalar of this type yet; generate it here");
  const auto value = static_cast<std::int32_t>(word());
  return schema.opcode == Opcode::gemm ? value & 0x7FFFFFFF : value;
}

void RandomCommands::fill(const OpcodeSchema& schema, OperandList& operands, ScalarList& extras) {
  for (std::size_t index = 0; index < schema.operands.size(); ++index) operands.push_back(tensor());
  const std::size_t count = schema.required_extras + below(schema.extras.size() - schema.required_extras + 1);
  for (std::size_t index = 0; index < count; ++index)
    extras.push_back(scalar(schema, schema.extras[index].type));
}

PeCommand RandomCommands::dma(bool read) {
  DmaReadCmd in;
  DmaWriteCmd out;
  in.src = out.src = tensor();
  in.dst = out.dst = tensor();
  in.nbytes = out.nbytes = word();
  return read ? PeCommand(in) : PeCommand(out);
}

PeCommand RandomCommands::gemm() {
  GemmCmd command;
  command.a = tensor();
  command.b = tensor();
  command.out = tensor();
  command.m = word();
  command.k = word();
  command.n = word();
  if (below(2) == 0) command.scale = any_float();
  return command;
}

PeCommand RandomCommands::math() {
  const auto opcodes = static_cast<std::uint64_t>(end_of_schemas() - begin_of_schemas());
  const OpcodeSchema& schema = begin_of_schemas()[1 + below(opcodes - 1)];  // the first is gemm
  MathCmd command;
  command.kind = schema.opcode;
  fill(schema, command.operands, command.extras);
  command.out = tensor();
  return command;
}

OpSpec RandomCommands::op() {
  const OpcodeSchema& schema =
      begin_of_schemas()[below(static_cast<std::uint64_t>(end_of_schemas() - begin_of_schemas()))];
  OpSpec op;
  op.kind = schema.opcode;
  op.scope = static_cast<Scope>(below(3));
  fill(schema, op.operands, op.extras);
  if (below(4) != 0) op.out = tensor();
  return op;
}

PeCommand RandomCommands::composite() {
  CompositeCmd command;
  const std::uint64_t most = below(50) == 0 ? 256 : 8;  // now and then up to what a count byte holds
  for (std::uint64_t count = below(most); count > 0; --count) command.ops.push_back(op());
  for (std::uint64_t count = below(most); count > 0; --count) command.rw_handles.push_back(tensor());
  return command;
}

PeCommand RandomCommands::command() {
  PeCommand command;
  switch (below(std::variant_size_v<PeCommand>)) {
    case 0:
    case 1:
      command = dma(below(2) == 0);
      break;
    case 2:
      command = gemm();
      break;
    case 3:
      command = math();
      break;
    case 4:
      command = composite();
      break;
    default: {
      OverheadCmd overhead;
      overhead.cycles = word();
      command = overhead;
    }
  }
  framing_of(command).completion = below(std::uint64_t{1} << 40U);
  framing_of(command).data_op = below(2) == 0;
  return command;
}

}  // namespace petal::test
