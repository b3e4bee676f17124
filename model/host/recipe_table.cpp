// SPDX-License-Identifier: Apache-2.0
#include "petal/host/recipe_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "petal/command/error.hpp"
#include "petal/host/standard_recipes.hpp"

namespace petal {
namespace {

/// The checks of one recipe; each returns what is wrong, or an empty string.
class RecipeCheck {
 public:
  explicit RecipeCheck(const RecipeDescriptor& recipe) : recipe_(recipe) {}

  std::string find_problem() const {
    if (recipe_.engine_seq.empty()) return "it has no steps";
    std::string problem = find_tensor_problem();
    if (problem.empty()) problem = find_alignment_problem();
    for (std::size_t index = 0; index < recipe_.engine_seq.size() && problem.empty(); ++index)
      problem = find_step_problem(recipe_.engine_seq[index]);
    return problem;
  }

 private:
  bool is_tile_aligned() const { return recipe_.tile_alignment == TileAlignment::tile_aligned; }

  bool is_made_here(std::string_view name) const {
    if (recipe_.primary_out && recipe_.primary_out->tensor.name == name) return true;
    return std::any_of(recipe_.temporaries.begin(), recipe_.temporaries.end(),
                       [&](const RecipeTensor& tensor) { return tensor.name == name; });
  }

  bool is_known(std::string_view name) const {
    return recipe_.operand_index(name) || is_made_here(name) || (is_tile_aligned() && name == kAccumulator);
  }

  std::string find_tensor_problem() const {
    std::vector<RecipeTensor> made = recipe_.temporaries;
    if (recipe_.primary_out) made.push_back(recipe_.primary_out->tensor);
    std::vector<std::string> names;
    for (const RecipeOperand& operand : recipe_.operands) names.push_back(operand.name);
    for (const RecipeTensor& tensor : made) {
      names.push_back(tensor.name);
      const auto* const typed = std::get_if<std::string>(&tensor.dtype);
      for (const std::string& source : {tensor.from_shape, typed ? *typed : tensor.from_shape})
        if (!recipe_.operand_index(source))
          return fmt::format("tensor '{}' is made like '{}', which is no operand", tensor.name, source);
    }
    for (const RecipeParameter& parameter : recipe_.parameters) names.push_back(parameter.name);
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end()) return fmt::format("the name '{}' is used twice", *twice);
    if (recipe_.primary_out && recipe_.primary_out->transform != "identity")
      return fmt::format("the transform '{}' of its primary out is unknown; only 'identity' exists",
                         recipe_.primary_out->transform);
    return {};
  }

  std::string find_alignment_problem() const {
    if (!is_tile_aligned()) return {};
    if (recipe_.primary_out || !recipe_.temporaries.empty())
      return "a tile_aligned recipe works on the accumulator and makes no tensors";
    const bool writes_operand =
        std::any_of(recipe_.operands.begin(), recipe_.operands.end(),
                    [](const RecipeOperand& operand) { return operand.access == Access::read_write; });
    return writes_operand ? "a tile_aligned recipe may only read its operands" : "";
  }

  std::string find_step_problem(const RecipeStep& step) const {
    const OpcodeSchema& schema = schema_of(step.op);
    if (step.op == Opcode::gemm) return "a step may not be a gemm: the composite has its one GEMM";
    std::string problem = find_scalar_problem(step);
    if (!problem.empty()) return problem;
    if (step.sources.size() != schema.operands.size() || !extras_fit(step, schema))
      return fmt::format("step {} does not have the operands and scalars of its opcode", schema.name);
    for (const std::string& source : step.sources)
      if (!is_known(source))
        return fmt::format("step {} reads '{}', which is not defined", schema.name, source);
    if (!is_known(step.dst))
      return fmt::format("step {} writes '{}', which is not defined", schema.name, step.dst);
    const auto operand = recipe_.operand_index(step.dst);
    if (operand && recipe_.operands[*operand].access == Access::read)
      return fmt::format("step {} writes the read-only operand '{}'", schema.name, step.dst);
    if (is_tile_aligned() && (schema.reduces || step.sources.empty() ||
                              step.sources.front() != kAccumulator || step.dst != kAccumulator))
      return fmt::format("step {} does not work in place on '{}'", schema.name, kAccumulator);
    return {};
  }

  std::string find_scalar_problem(const RecipeStep& step) const {
    for (const StepScalar& scalar : step.extras) {
      const auto* const parameter = std::get_if<ParameterValue>(&scalar);
      if (parameter && !recipe_.parameter_index(parameter->name))
        return fmt::format("step {} takes the value of '{}', which is no parameter", name_of(step.op),
                           parameter->name);
      const auto* const columns = std::get_if<ReciprocalOfColumns>(&scalar);
      if (columns && !recipe_.operand_index(columns->of))
        return fmt::format("step {} counts the columns of '{}', which is no operand", name_of(step.op),
                           columns->of);
    }
    return {};
  }

  static bool extras_fit(const RecipeStep& step, const OpcodeSchema& schema) {
    if (step.extras.size() < schema.required_extras || step.extras.size() > schema.extras.size())
      return false;
    for (std::size_t index = 0; index < step.extras.size(); ++index) {
      const auto* const written = std::get_if<ScalarValue>(&step.extras[index]);
      const ScalarType type = written ? type_of(*written) : ScalarType::f32;
      if (type != schema.extras[index].type) return false;
    }
    return true;
  }

  const RecipeDescriptor& recipe_;
};

}  // namespace

RecipeTable RecipeTable::standard() {
  RecipeTable table;
  for (RecipeDescriptor& recipe : standard_recipes()) table.add(std::move(recipe));
  return table;
}

void RecipeTable::add(RecipeDescriptor recipe) {
  std::string problem;
  if (recipe.name.empty()) problem = "it has no name";
  if (find(recipe.name)) problem = "a recipe of that name exists; choose another name";
  if (find_schema(recipe.name)) problem = "an opcode has that name; choose another name";
  if (problem.empty()) problem = RecipeCheck(recipe).find_problem();
  if (!problem.empty()) throw ConfigError(fmt::format("recipe '{}': {}", recipe.name, problem));
  recipes_.push_back(std::move(recipe));
}

const RecipeDescriptor* RecipeTable::find(std::string_view name) const {
  const auto found = std::find_if(recipes_.begin(), recipes_.end(),
                                  [&](const RecipeDescriptor& recipe) { return recipe.name == name; });
  return found == recipes_.end() ? nullptr : &*found;
}

}  // namespace petal
