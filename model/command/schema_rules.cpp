// SPDX-License-Identifier: Apache-2.0
#include "petal/command/schema_rules.hpp"

#include <fmt/format.h>

namespace petal {
namespace {

constexpr std::size_t kMaxCount = 255;

const char* name_of(ScalarType type) {
  switch (type) {
    case ScalarType::i32:
      return "an i32";
    case ScalarType::f32:
      return "an f32";
    case ScalarType::boolean:
      return "a bool";
    case ScalarType::tuple:
      return "a tuple";
    case ScalarType::tag:
      return "a tag";
  }
  return "?";
}

std::optional<std::string> find_scalar_error(const OpcodeSchema& schema, const ScalarSchema& field,
                                             const ScalarValue& value) {
  if (type_of(value) != field.type)
    return fmt::format("{}: '{}' is {}, but its schema asks for {}", schema.name, field.name,
                       name_of(type_of(value)), name_of(field.type));
  if (const auto* tuple = std::get_if<std::vector<std::int32_t>>(&value); tuple && tuple->size() > kMaxCount)
    return fmt::format("{}: '{}' has {} entries, but its count is one byte; give at most {}", schema.name,
                       field.name, tuple->size(), kMaxCount);
  const auto* number = std::get_if<std::int32_t>(&value);
  if (schema.opcode == Opcode::gemm && number && *number < 0)
    return fmt::format("{}: '{}' is {}, but a size is 0 or more", schema.name, field.name, *number);
  return std::nullopt;
}

}  // namespace

std::optional<std::string> find_schema_error(Opcode kind, const OperandList& operands,
                                             const ScalarList& extras) {
  const OpcodeSchema* schema = find_schema(static_cast<std::uint8_t>(kind));
  if (!schema)
    return fmt::format("opcode {} is unknown; use one of the opcode table", static_cast<unsigned>(kind));
  if (operands.size() != schema->operands.size())
    return fmt::format("{}: has {} operands, but its schema lists {} ({})", schema->name, operands.size(),
                       schema->operands.size(),
                       fmt::join(schema->operands.begin(), schema->operands.end(), ", "));
  if (extras.size() < schema->required_extras)
    return fmt::format("{}: has {} scalars, but '{}' must be there", schema->name, extras.size(),
                       schema->extras[extras.size()].name);
  if (extras.size() > schema->extras.size())
    return fmt::format("{}: has {} scalars, but its schema lists {}; leave off the rest", schema->name,
                       extras.size(), schema->extras.size());
  for (std::size_t index = 0; index < extras.size(); ++index)
    if (auto problem = find_scalar_error(*schema, schema->extras[index], extras[index])) return problem;
  return std::nullopt;
}

}  // namespace petal
