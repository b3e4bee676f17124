// SPDX-License-Identifier: Apache-2.0
#include "petal/host/math_lowering.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "petal/command/error.hpp"
#include "petal/command/math_rules.hpp"

namespace petal {
namespace {

[[noreturn]] void refuse(std::string_view operand, const std::string& problem, const std::string& remedy) {
  throw EmitError("composite", std::string(operand), problem, remedy);
}

template <typename Names>
std::string joined(const Names& names) {
  return names.size() == 0 ? "none" : fmt::format("{}", fmt::join(names.begin(), names.end(), ", "));
}

std::optional<ScalarValue> default_of(const OpcodeSchema& schema, std::size_t index) {
  const std::string_view name = schema.extras[index].name;
  if (name == "reduce_axis") return ScalarValue(std::int32_t{-1});
  if (name == "bcast_axis" && index < schema.required_extras) return ScalarValue(std::int32_t{1});
  return std::nullopt;
}

void require_known_scalars(const OpcodeSchema& schema, const std::vector<NamedScalar>& named) {
  for (const NamedScalar& given : named) {
    const auto* const field =
        std::find_if(schema.extras.begin(), schema.extras.end(),
                     [&](const ScalarSchema& entry) { return entry.name == given.first; });
    if (field == schema.extras.end())
      refuse(given.first, fmt::format("{} has no such scalar", schema.name), "leave it off");
    if (type_of(given.second) != field->type)
      refuse(given.first, fmt::format("is not of the type that {} takes", schema.name),
             field->type == ScalarType::f32 ? "give a float" : "give a 32-bit integer");
  }
}

}  // namespace

const OpcodeSchema& math_schema_named(std::string_view name, std::string_view position) {
  if (name == "gemm")
    refuse(position, "a composite has at most one GEMM, its head",
           "issue a composite of its own for this GEMM");
  if (const OpcodeSchema* schema = find_schema(name)) return *schema;
  std::vector<std::string_view> names;
  for (const OpcodeSchema* schema = begin_of_schemas(); schema != end_of_schemas(); ++schema)
    if (schema->engine == EngineClass::math) names.push_back(schema->name);
  refuse(position, fmt::format("'{}' is neither a recipe nor a MATH op", name),
         fmt::format("use a recipe of the table or one of {}", joined(names)));
}

OperandList operands_in_order(const OpcodeSchema& schema, const std::vector<NamedOperand>& named,
                              const std::optional<TensorHandle>& first) {
  for (const NamedOperand& given : named)
    if (std::find(schema.operands.begin(), schema.operands.end(), given.name) == schema.operands.end())
      refuse(given.name, fmt::format("{} has no such operand", schema.name),
             fmt::format("its operands are {}", joined(schema.operands)));
  OperandList operands;
  for (const std::string_view name : schema.operands) {
    const auto is_it = [&](const NamedOperand& given) { return given.name == name; };
    const auto given = std::find_if(named.begin(), named.end(), is_it);
    if (std::count_if(named.begin(), named.end(), is_it) > 1)
      refuse(name, fmt::format("is given twice to {}", schema.name), "give it once");
    if (given != named.end()) {
      operands.push_back(given->handle);
    } else if (operands.empty() && first) {
      operands.push_back(*first);
    } else {
      refuse(name, fmt::format("{} needs it and it is not given", schema.name),
             fmt::format("its operands are {}", joined(schema.operands)));
    }
  }
  return operands;
}

ScalarList scalars_in_order(const OpcodeSchema& schema, const std::vector<NamedScalar>& named) {
  require_known_scalars(schema, named);
  ScalarList scalars;
  for (std::size_t index = 0; index < schema.extras.size(); ++index) {
    const std::string_view name = schema.extras[index].name;
    const auto given = std::find_if(named.begin(), named.end(),
                                    [&](const NamedScalar& entry) { return entry.first == name; });
    const std::optional<ScalarValue> value =
        given != named.end() ? std::optional<ScalarValue>(given->second) : default_of(schema, index);
    if (value) {
      scalars.push_back(*value);
    } else if (index < schema.required_extras) {
      refuse(name, fmt::format("{} needs this scalar and it is not given", schema.name), "give it a value");
    }
  }
  return scalars;
}

void check_math_operands(const OpSpec& op, const OperandNames& names) {
  if (const auto problem = find_operand_problem(op.kind, op.operands, op.extras))
    refuse(names.at(problem->operand), fmt::format("{}: {}", name_of(op.kind), problem->problem),
           problem->remedy);
}

void check_math_out(const OpSpec& op, const OperandNames& names) {
  if (const auto problem = find_out_problem(op.kind, op.operands, *op.out))
    refuse(names.at(problem->operand), fmt::format("{}: {}", name_of(op.kind), problem->problem),
           problem->remedy);
}

OperandNames operand_names(const OpcodeSchema& schema) {
  OperandNames names(schema.operands.begin(), schema.operands.end());
  names.emplace_back("out");
  return names;
}

}  // namespace petal
