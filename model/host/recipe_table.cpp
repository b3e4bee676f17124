// SPDX-License-Identifier: Apache-2.0
#include "petal/host/recipe_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "petal/command/error.hpp"

namespace petal {
namespace {

/// Online softmax, the step that takes one more tile of scores s into the running maximum m, sum l and output
/// O:
///     m' = max(m, rowmax(s)), P = e^(s - m'), l = l e^(m - m') + rowsum(P), O = O e^(m - m'), m = m'
RecipeDescriptor softmax_merge() {
  RecipeDescriptor recipe;
  recipe.name = "softmax_merge";
  recipe.description = "merges a tile of scores s into the online softmax state m, l, O and hands on P";
  recipe.operands = {
      {"s", Access::read}, {"m", Access::read_write}, {"l", Access::read_write}, {"O", Access::read_write}};
  recipe.primary_out = PrimaryOutSpec{{"P", "s", "s"}, "identity"};
  recipe.temporaries = {{"m_loc", "m", "m"}, {"m_new", "m", "m"}, {"corr", "m", "m"}, {"l_loc", "l", "l"}};
  recipe.engine_seq = {
      {Opcode::rmax, {"s"}, "m_loc", {std::int32_t{-1}}},
      {Opcode::max_elem, {"m", "m_loc"}, "m_new", {}},
      {Opcode::exp_diff, {"m", "m_new"}, "corr", {}},
      {Opcode::exp_diff, {"s", "m_new"}, "P", {std::int32_t{0}}},
      {Opcode::rsum, {"P"}, "l_loc", {std::int32_t{-1}}},
      {Opcode::fma, {"l", "corr", "l_loc"}, "l", {}},
      {Opcode::mul_bcast, {"O", "corr"}, "O", {std::int32_t{1}}},
      {Opcode::copy, {"m_new"}, "m", {}},
  };
  return recipe;
}

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
      for (const std::string& source : {tensor.from_shape, tensor.from_dtype})
        if (!recipe_.operand_index(source))
          return fmt::format("tensor '{}' is made like '{}', which is no operand", tensor.name, source);
    }
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

  static bool extras_fit(const RecipeStep& step, const OpcodeSchema& schema) {
    if (step.extras.size() < schema.required_extras || step.extras.size() > schema.extras.size())
      return false;
    for (std::size_t index = 0; index < step.extras.size(); ++index)
      if (type_of(step.extras[index]) != schema.extras[index].type) return false;
    return true;
  }

  const RecipeDescriptor& recipe_;
};

}  // namespace

RecipeTable RecipeTable::standard() {
  RecipeTable table;
  table.add(softmax_merge());
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
