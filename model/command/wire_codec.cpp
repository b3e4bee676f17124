// SPDX-License-Identifier: Apache-2.0
#include "petal/command/wire_codec.hpp"

#include <fmt/format.h>

#include <utility>

#include "petal/command/error.hpp"
#include "petal/command/schema_rules.hpp"
#include "petal/command/tensor_index_collector.hpp"

namespace petal {
namespace {

constexpr std::size_t kMaxCount = 255;
constexpr std::uint32_t kFlagBit = 0x80;  // of the kind byte: data_op; of the scope byte: out is present
constexpr std::uint32_t kKindMask = 0x7F;
constexpr unsigned kCompletionShift = 8;

class Encoder {
 public:
  Encoder(const PeCommand& command, TensorTable& table)
      : table_(table), name_(kind_name(command)), writer_(logical_bytes(command).count()) {
    const CommandFraming& framing = framing_of(command);
    const auto kind = static_cast<std::uint32_t>(command.index() + 1) | (framing.data_op ? kFlagBit : 0U);
    const auto completion = static_cast<std::uint32_t>(framing.completion % kWireCompletionModulus);
    writer_.u32(kind | completion << kCompletionShift);
  }

  void operator()(const DmaReadCmd& command) { dma(command.src, command.dst, command.nbytes); }
  void operator()(const DmaWriteCmd& command) { dma(command.src, command.dst, command.nbytes); }

  void operator()(const GemmCmd& command) {
    reference(command.a);
    reference(command.b);
    reference(command.out);
    writer_.u32(command.m);
    writer_.u32(command.k);
    writer_.u32(command.n);
    if (command.scale) writer_.f32(*command.scale);
  }

  void operator()(const MathCmd& command) {
    if (command.kind == Opcode::gemm)
      throw EmitError("gemm", "", "a MathCmd cannot carry a GEMM", "use a GemmCmd or a CompositeCmd");
    check_schema(command.kind, command.operands, command.extras);
    writer_.u8(static_cast<std::uint8_t>(command.kind));
    for (const TensorHandle& operand : command.operands) reference(operand);
    reference(command.out);
    for (const ScalarValue& value : command.extras) writer_.scalar(value);
  }

  void operator()(const CompositeCmd& command) {
    count(command.rw_handles.size(), "rw handles");
    for (const TensorHandle& handle : command.rw_handles) reference(handle);
    count(command.ops.size(), "ops");
    for (const OpSpec& op : command.ops) op_spec(op);
  }

  void operator()(const OverheadCmd& command) { writer_.u32(command.cycles); }

  std::vector<std::byte> take() { return writer_.take(); }

 private:
  void reference(const TensorHandle& tensor) { writer_.u64(table_.intern(tensor)); }

  void dma(const TensorHandle& src, const TensorHandle& dst, std::uint32_t nbytes) {
    reference(src);
    reference(dst);
    writer_.u32(nbytes);
  }

  void count(std::size_t entries, const char* what) {
    if (entries > kMaxCount)
      throw EmitError(name_, "", fmt::format("{} {}, but their count is one byte", entries, what),
                      fmt::format("use at most {}", kMaxCount));
    writer_.u8(static_cast<std::uint8_t>(entries));
  }

  static void check_schema(Opcode kind, const OperandList& operands, const ScalarList& extras) {
    if (const auto problem = find_schema_error(kind, operands, extras))
      throw EmitError("encode", "", *problem, "give the op what its schema lists");
  }

  void op_spec(const OpSpec& op) {
    check_schema(op.kind, op.operands, op.extras);
    if (op.scope > Scope::output_tile)
      throw EmitError(std::string(name_of(op.kind)), "",
                      fmt::format("scope {} is unknown", static_cast<unsigned>(op.scope)),
                      "use KERNEL, K_TILE or OUTPUT_TILE");
    writer_.u8(static_cast<std::uint8_t>(op.kind));
    writer_.u8(static_cast<std::uint8_t>(static_cast<std::uint32_t>(op.scope) | (op.out ? kFlagBit : 0U)));
    count(op.operands.size(), "operands");
    for (const TensorHandle& operand : op.operands) reference(operand);
    if (op.out) reference(*op.out);
    count(op.extras.size(), "scalars");
    for (const ScalarValue& value : op.extras) writer_.scalar(value);
  }

  TensorTable& table_;
  const char* name_;
  WireWriter writer_;
};

class Decoder {
 public:
  Decoder(ByteView bytes, const TensorResolver& tensors) : reader_(bytes), tensors_(tensors) {}

  PeCommand command() {
    const std::uint32_t word = reader_.u32("the framing");
    framing_.data_op = (word & kFlagBit) != 0;
    framing_.completion = word >> kCompletionShift;
    PeCommand command = body(word & kKindMask);
    if (reader_.remaining() != 0)
      fail(reader_.position(), fmt::format("{} bytes follow the end of a {}; send exactly one command",
                                           reader_.remaining(), kind_name(command)));
    framing_of(command) = framing_;
    return command;
  }

 private:
  [[noreturn]] static void fail(std::size_t position, const std::string& problem) {
    throw DecodeError(fmt::format("byte {}: {}", position, problem));
  }

  PeCommand body(std::uint32_t kind) {
    constexpr auto kKinds = std::variant_size_v<PeCommand>;
    switch (kind) {
      case 1:
        return dma<DmaReadCmd>();
      case 2:
        return dma<DmaWriteCmd>();
      case 3:
        return gemm();
      case 4:
        return math();
      case 5:
        return composite();
      case 6:
        return overhead();
      default:
        fail(0, fmt::format("command kind {} is outside 1 to {}", kind, kKinds));
    }
  }

  template <typename Dma>
  PeCommand dma() {
    Dma command;
    command.src = reference("src");
    command.dst = reference("dst");
    command.nbytes = reader_.u32("nbytes");
    return command;
  }

  PeCommand gemm() {
    GemmCmd command;
    command.a = reference("a");
    command.b = reference("b");
    command.out = reference("out");
    command.m = reader_.u32("m");
    command.k = reader_.u32("k");
    command.n = reader_.u32("n");
    if (reader_.remaining() != 0) command.scale = reader_.f32("scale");
    return command;
  }

  PeCommand math() {
    const OpcodeSchema& schema = opcode();
    if (schema.engine != EngineClass::math)
      fail(reader_.position() - 1, fmt::format("a MathCmd cannot carry opcode {}", schema.name));
    MathCmd command;
    command.kind = schema.opcode;
    operands(schema, command.operands);
    command.out = reference("out");
    for (std::size_t index = 0; index < schema.extras.size(); ++index) {
      if (index >= schema.required_extras && reader_.remaining() == 0) break;
      command.extras.push_back(scalar(schema, index));
    }
    return command;
  }

  PeCommand composite() {
    CompositeCmd command;
    const std::size_t handles = reader_.u8("the count of rw handles");
    for (std::size_t index = 0; index < handles; ++index)
      command.rw_handles.push_back(reference("rw handle"));
    const std::size_t ops = reader_.u8("the count of ops");
    for (std::size_t index = 0; index < ops; ++index) command.ops.push_back(op_spec());
    return command;
  }

  PeCommand overhead() {
    OverheadCmd command;
    command.cycles = reader_.u32("cycles");
    return command;
  }

  OpSpec op_spec() {
    const OpcodeSchema& schema = opcode();
    OpSpec op;
    op.kind = schema.opcode;
    const std::uint32_t scope = reader_.u8("the scope");
    if ((scope & kKindMask) > static_cast<std::uint32_t>(Scope::output_tile))
      fail(reader_.position() - 1,
           fmt::format("scope {} of {} is outside 0 to 2", scope & kKindMask, schema.name));
    op.scope = static_cast<Scope>(scope & kKindMask);
    expect_count("operands", schema, schema.operands.size(), schema.operands.size());
    operands(schema, op.operands);
    if ((scope & kFlagBit) != 0) op.out = reference("out");
    const std::size_t extras = expect_count("scalars", schema, schema.required_extras, schema.extras.size());
    for (std::size_t index = 0; index < extras; ++index) op.extras.push_back(scalar(schema, index));
    return op;
  }

  const OpcodeSchema& opcode() {
    const std::uint8_t byte = reader_.u8("the opcode");
    const OpcodeSchema* schema = find_schema(byte);
    if (!schema)
      fail(reader_.position() - 1,
           fmt::format("opcode {} is outside 1 to {}", byte, end_of_schemas() - begin_of_schemas()));
    return *schema;
  }

  std::size_t expect_count(const char* what, const OpcodeSchema& schema, std::size_t least,
                           std::size_t most) {
    const std::size_t count = reader_.u8("a count");
    if (count < least || count > most)
      fail(reader_.position() - 1,
           fmt::format("{} has {} {}, its schema lists {} to {}", schema.name, count, what, least, most));
    return count;
  }

  void operands(const OpcodeSchema& schema, OperandList& into) {
    for (const std::string_view name : schema.operands) into.push_back(reference(name));
  }

  ScalarValue scalar(const OpcodeSchema& schema, std::size_t index) {
    const ScalarSchema& field = schema.extras[index];
    const std::size_t position = reader_.position();
    ScalarValue value = reader_.scalar(field.type, field.name);
    const auto* number = std::get_if<std::int32_t>(&value);
    if (schema.opcode == Opcode::gemm && number && *number < 0)
      fail(position, fmt::format("gemm's {} is {}, but a size is 0 or more", field.name, *number));
    return value;
  }

  TensorHandle reference(std::string_view what) {
    const std::size_t position = reader_.position();
    const TensorReference reference = reader_.u64(what);
    try {
      return tensors_.resolve(reference);
    } catch (const DecodeError& error) {
      fail(position, fmt::format("{}: {}", what, error.what()));
    }
  }

  WireReader reader_;
  const TensorResolver& tensors_;
  CommandFraming framing_;
};

}  // namespace

std::vector<std::byte> encode(const PeCommand& command, TensorTable& table) {
  Encoder encoder(command, table);
  std::visit(encoder, command);
  return encoder.take();
}

PeCommand decode(ByteView bytes, const TensorResolver& tensors) {
  return Decoder(bytes, tensors).command();
}

std::vector<std::uint32_t> referenced_tensors(ByteView bytes) {
  TensorIndexCollector collector;
  decode(bytes, collector);
  return collector.take();
}

}  // namespace petal
