// SPDX-License-Identifier: Apache-2.0
#include "petal/command/op_spec.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace petal {

const char* name_of(Scope scope) {
  switch (scope) {
    case Scope::kernel:
      return "KERNEL";
    case Scope::k_tile:
      return "K_TILE";
    case Scope::output_tile:
      return "OUTPUT_TILE";
  }
  return "?";
}

ScalarType type_of(const ScalarValue& value) {
  constexpr ScalarType kTypes[] = {ScalarType::i32, ScalarType::f32, ScalarType::boolean, ScalarType::tuple,
                                   ScalarType::tag};
  return kTypes[value.index()];
}

const TensorHandle& OpSpec::operand(std::string_view name) const {
  const OpcodeSchema& schema = schema_of(kind);
  for (std::size_t index = 0; index < schema.operands.size(); ++index)
    if (schema.operands[index] == name) return operands.at(index);
  throw std::out_of_range(fmt::format("{} has no operand '{}'", schema.name, name));
}

const ScalarValue* OpSpec::extra(std::string_view name) const {
  const OpcodeSchema& schema = schema_of(kind);
  for (std::size_t index = 0; index < schema.extras.size(); ++index)
    if (schema.extras[index].name == name) return index < extras.size() ? &extras[index] : nullptr;
  return nullptr;
}

GemmShape gemm_shape_of(const OpSpec& op) {
  const auto size_at = [&](std::size_t index) {
    return static_cast<std::uint64_t>(std::get<std::int32_t>(op.extras.at(index)));
  };
  return {size_at(0), size_at(1), size_at(2)};
}

float gemm_scale_of(const OpSpec& op) {
  return op.extras.size() > 3 ? std::get<float>(op.extras[3]) : 1.0F;
}

}  // namespace petal
