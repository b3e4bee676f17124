// SPDX-License-Identifier: Apache-2.0
#include "petal/report/command_classes.hpp"

#include "petal/command/opcode.hpp"

namespace petal {
namespace {

/// One character an op.
std::string opcodes_of(const CommandSlice& slice) {
  std::string opcodes;
  if (const auto* const composite = std::get_if<CompositeCmd>(slice.command.get()))
    for (std::uint32_t index = slice.first_op; index < slice.last_op; ++index)
      opcodes += static_cast<char>(composite->ops[index].kind);
  else if (const auto* const math = std::get_if<MathCmd>(slice.command.get()))
    opcodes += static_cast<char>(math->kind);
  return opcodes;
}

std::string ops_text(const CommandSlice& slice) {
  std::string text;
  const auto* const composite = std::get_if<CompositeCmd>(slice.command.get());
  if (composite == nullptr) return text;
  for (std::uint32_t index = slice.first_op; index < slice.last_op; ++index) {
    if (!text.empty()) text += ", ";
    text += name_of(composite->ops[index].kind);
  }
  return text;
}

}  // namespace

CommandClasses::Id CommandClasses::id_of(const CommandSlice& slice) {
  const Key key{slice.command->index(), opcodes_of(slice), slice.logical_bytes.count(), slice.segment,
                slice.segments};
  const auto [entry, is_new] = ids_.try_emplace(key, static_cast<Id>(classes_.size()));
  if (is_new)
    classes_.push_back({kind_name(*slice.command), std::string(op_name(*slice.command)), ops_text(slice),
                        slice.logical_bytes, slice.segment, slice.segments});
  return entry->second;
}

}  // namespace petal
