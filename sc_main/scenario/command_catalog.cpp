// SPDX-License-Identifier: Apache-2.0
#include "petal/scenario/command_catalog.hpp"

#include <fmt/format.h>

namespace petal {
namespace {

std::string text_of(const ScalarValue& value) {
  switch (type_of(value)) {
    case ScalarType::i32:
      return fmt::format("{}", std::get<std::int32_t>(value));
    case ScalarType::f32:
      return fmt::format("{}", std::get<float>(value));
    case ScalarType::boolean:
      return std::get<bool>(value) ? "true" : "false";
    case ScalarType::tag:
      return fmt::format("tag {}", std::get<Tag>(value).value);
    case ScalarType::tuple:
      return fmt::format("{} numbers", std::get<std::vector<std::int32_t>>(value).size());
  }
  return {};
}

std::string text_of(const TensorHandle& tensor) {
  return fmt::format("{}{} in {}", name_of(tensor.dtype), tensor.shape.to_string(),
                     tensor.space == Space::hbm ? "HBM" : "TCM");
}

/// Lists fields in wire order.
class FieldList {
 public:
  void add(std::string name, std::string value, std::uint64_t bytes) {
    fields_.push_back({std::move(name), std::move(value), Bytes(bytes)});
  }
  void add(std::string name, const TensorHandle& tensor) { add(std::move(name), text_of(tensor), 8); }
  void add_framing(const PeCommand& command) { add("framing", kind_name(command), 4); }
  void add_extras(const std::string& prefix, Opcode kind, const ScalarList& extras) {
    for (std::size_t index = 0; index < extras.size(); ++index)
      add(prefix + std::string(schema_of(kind).extras[index].name), text_of(extras[index]),
          logical_bytes(extras[index]).count());
  }
  void add_operands(const std::string& prefix, Opcode kind, const OperandList& operands) {
    for (std::size_t index = 0; index < operands.size(); ++index)
      add(prefix + std::string(schema_of(kind).operands[index]), operands[index]);
  }
  std::vector<CommandField> take() { return std::move(fields_); }

 private:
  std::vector<CommandField> fields_;
};

void add_op(FieldList& fields, const OpSpec& op, std::uint32_t index) {
  const std::string prefix = fmt::format("ops[{}].", index);
  fields.add(prefix + "opcode", std::string(name_of(op.kind)), 1);
  fields.add(prefix + "scope", name_of(op.scope), 1);
  fields.add(prefix + "operand count", fmt::format("{}", op.operands.size()), 1);
  fields.add_operands(prefix, op.kind, op.operands);
  if (op.out) fields.add(prefix + "out", *op.out);
  fields.add(prefix + "extra count", fmt::format("{}", op.extras.size()), 1);
  fields.add_extras(prefix, op.kind, op.extras);
}

void add_composite(FieldList& fields, const CompositeCmd& composite, const CommandSlice& slice) {
  if (slice.segment == 0) {
    fields.add_framing(*slice.command);
    fields.add("rw count", fmt::format("{}", composite.rw_handles.size()), 1);
    for (std::size_t index = 0; index < composite.rw_handles.size(); ++index)
      fields.add(fmt::format("rw[{}]", index), composite.rw_handles[index]);
    fields.add("op count", fmt::format("{}", composite.ops.size()), 1);
  }
  for (std::uint32_t index = slice.first_op; index < slice.last_op; ++index)
    add_op(fields, composite.ops[index], index);
}

void add_gemm(FieldList& fields, const GemmCmd& command) {
  fields.add_framing(command);
  fields.add("a", command.a);
  fields.add("b", command.b);
  fields.add("out", command.out);
  fields.add("m", fmt::format("{}", command.m), 4);
  fields.add("k", fmt::format("{}", command.k), 4);
  fields.add("n", fmt::format("{}", command.n), 4);
  if (command.scale) fields.add("scale", fmt::format("{}", *command.scale), 4);
}

void add_math(FieldList& fields, const MathCmd& command) {
  fields.add_framing(command);
  fields.add("opcode", std::string(name_of(command.kind)), 1);
  fields.add_operands("", command.kind, command.operands);
  fields.add("out", command.out);
  fields.add_extras("", command.kind, command.extras);
}

template <typename Dma>
void add_dma(FieldList& fields, const Dma& command) {
  fields.add_framing(command);
  fields.add("src", command.src);
  fields.add("dst", command.dst);
  fields.add("nbytes", fmt::format("{}", command.nbytes), 4);
}

}  // namespace

std::vector<CommandField> fields_of(const CommandSlice& slice) {
  FieldList fields;
  const PeCommand& command = *slice.command;
  if (const auto* const composite = std::get_if<CompositeCmd>(&command))
    add_composite(fields, *composite, slice);
  if (const auto* const gemm = std::get_if<GemmCmd>(&command)) add_gemm(fields, *gemm);
  if (const auto* const math = std::get_if<MathCmd>(&command)) add_math(fields, *math);
  if (const auto* const read = std::get_if<DmaReadCmd>(&command)) add_dma(fields, *read);
  if (const auto* const write = std::get_if<DmaWriteCmd>(&command)) add_dma(fields, *write);
  return fields.take();
}

void CommandCatalog::issue(const IssueRequest& request) {
  std::string key = fmt::format("{}/{}", request.slice.segment, request.slice.segments);
  for (const CommandField& field : fields_of(request.slice)) key += '|' + field.name + '=' + field.value;
  const auto [found, is_new] = index_.emplace(std::move(key), entries_.size());
  if (is_new) entries_.push_back({request.slice, 0});
  ++entries_[found->second].count;
}

}  // namespace petal
