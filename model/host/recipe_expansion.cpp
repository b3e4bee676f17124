// SPDX-License-Identifier: Apache-2.0
#include "petal/host/recipe_expansion.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "petal/command/error.hpp"
#include "petal/command/math_rules.hpp"
#include "petal/host/tensor_checks.hpp"

namespace petal {
namespace {

constexpr std::string_view kOp = "composite";

[[noreturn]] void refuse(const std::string& operand, const std::string& problem, const std::string& remedy) {
  throw EmitError(std::string(kOp), operand, problem, remedy);
}

template <typename Named>
std::string names_of(const std::vector<Named>& list) {
  std::string names;
  for (const Named& entry : list) names += (names.empty() ? "" : ", ") + entry.name;
  return names;
}

}  // namespace

RecipeExpansion::RecipeExpansion(const RecipeDescriptor& recipe, const CompositeEntry& entry,
                                 const ScratchArena& arena)
    : recipe_(recipe), arena_(arena) {
  if (entry.out)
    refuse("out", fmt::format("recipe {} says itself where it writes", recipe_.name),
           "leave the entry's out off");
  bind(entry);
  bind_parameters(entry);
  check_overlaps();
}

void RecipeExpansion::bind_parameters(const CompositeEntry& entry) {
  const std::vector<RecipeParameter>& parameters = recipe_.parameters;
  for (const RecipeParameter& parameter : parameters) parameters_.push_back(parameter.default_value);
  std::vector<bool> is_given(parameters.size(), false);
  for (const auto& [name, value] : entry.scalars) {
    const std::optional<std::size_t> index = recipe_.parameter_index(name);
    if (!index)
      refuse(name,
             parameters.empty() ? fmt::format("recipe {} takes no scalars", recipe_.name)
                                : fmt::format("recipe {} has no such scalar", recipe_.name),
             parameters.empty() ? "leave it off" : fmt::format("it takes {}", names_of(parameters)));
    if (is_given[*index])
      refuse(name, fmt::format("is given twice to recipe {}", recipe_.name), "give it once");
    is_given[*index] = true;
    const auto* const number = std::get_if<float>(&value);
    if (!number)
      refuse(name, fmt::format("is not of the type that recipe {} takes", recipe_.name), "give a float");
    parameters_[*index] = *number;
  }
}

void RecipeExpansion::bind(const CompositeEntry& entry) {
  for (const NamedOperand& given : entry.operands)
    if (!recipe_.operand_index(given.name))
      refuse(given.name, fmt::format("recipe {} has no such operand", recipe_.name),
             fmt::format("it takes {}", names_of(recipe_.operands)));
  for (const RecipeOperand& operand : recipe_.operands) {
    const auto is_it = [&](const NamedOperand& given) { return given.name == operand.name; };
    const auto given = std::find_if(entry.operands.begin(), entry.operands.end(), is_it);
    if (given == entry.operands.end())
      refuse(operand.name, fmt::format("recipe {} needs it and it is not given", recipe_.name),
             fmt::format("give all of {}", names_of(recipe_.operands)));
    if (std::count_if(entry.operands.begin(), entry.operands.end(), is_it) > 1)
      refuse(operand.name, fmt::format("is given twice to recipe {}", recipe_.name), "give it once");
    check_operand(operand, *given);
    symbols_.emplace_back(operand.name, given->handle);
  }
}

void RecipeExpansion::check_operand(const RecipeOperand& operand, const NamedOperand& given) const {
  const std::string remedy =
      given.handle.pinned()
          ? ""
          : fmt::format("the operands of recipe {} are not streamed: load() it first", recipe_.name);
  require_in_tcm(kOp, operand.name, given.handle, arena_, remedy);
  if (!is_floating(given.handle.dtype))
    refuse(operand.name,
           fmt::format("recipe {} cannot use dtype {}", recipe_.name, name_of(given.handle.dtype)),
           "give a tensor of a floating dtype");
  if (operand.access == Access::read) return;
  if (given.access == Access::read)
    refuse(operand.name, fmt::format("is read-only, but recipe {} writes it", recipe_.name),
           "give a tensor that may be written");
  require_writable(kOp, operand.name, given.handle);
}

void RecipeExpansion::check_overlaps() const {
  for (std::size_t written = 0; written < recipe_.operands.size(); ++written) {
    if (recipe_.operands[written].access == Access::read) continue;
    for (std::size_t other = 0; other < recipe_.operands.size(); ++other)
      if (other != written && symbols_[written].second.range().overlaps(symbols_[other].second.range()))
        refuse(recipe_.operands[written].name,
               fmt::format("recipe {} writes it, but it overlaps operand '{}'", recipe_.name,
                           recipe_.operands[other].name),
               "give tensors that lie apart");
  }
}

TensorHandle RecipeExpansion::like(const RecipeTensor& tensor) const {
  return recipe_.tensor_like(tensor, operand_handles());
}

std::vector<TensorHandle> RecipeExpansion::operand_handles() const {
  std::vector<TensorHandle> handles;
  for (std::size_t index = 0; index < recipe_.operands.size(); ++index)
    handles.push_back(symbols_[index].second);
  return handles;
}

TensorHandle RecipeExpansion::primary_out_like() const {
  return like(recipe_.primary_out->tensor);
}

void RecipeExpansion::expand_once(RecipeScratch& scratch, const std::optional<TensorHandle>& primary_out,
                                  std::vector<OpSpec>& ops) {
  std::vector<TensorHandle> wanted;
  wanted.reserve(recipe_.temporaries.size() + 1);
  for (const RecipeTensor& tensor : recipe_.temporaries) wanted.push_back(like(tensor));
  if (recipe_.primary_out && !primary_out) wanted.push_back(primary_out_like());
  const std::vector<TensorHandle> tensors = scratch.take(recipe_.name, wanted);

  const std::size_t operand_count = symbols_.size();
  if (primary_out) {
    for (std::size_t index = 0; index < operand_count; ++index)
      if (primary_out->range().overlaps(symbols_[index].second.range()))
        refuse("out", fmt::format("overlaps operand '{}' of recipe {}", symbols_[index].first, recipe_.name),
               "give an out that lies apart from the recipe's operands");
    symbols_.emplace_back(recipe_.primary_out->tensor.name, *primary_out);
  }
  const std::vector<RecipeTensor>& temporaries = recipe_.temporaries;
  for (std::size_t index = 0; index < tensors.size(); ++index)
    symbols_.emplace_back(
        index < temporaries.size() ? temporaries[index].name : recipe_.primary_out->tensor.name,
        tensors[index]);

  for (const RecipeStep& step : recipe_.engine_seq) lower(step, Scope::kernel, ops);
}

void RecipeExpansion::expand_on_tiles(const TensorHandle& accumulator, std::vector<OpSpec>& ops) {
  symbols_.emplace_back(kAccumulator, accumulator);
  for (const RecipeStep& step : recipe_.engine_seq) lower(step, Scope::output_tile, ops);
}

std::vector<TensorHandle> RecipeExpansion::written_operands() const {
  std::vector<TensorHandle> written;
  for (std::size_t index = 0; index < recipe_.operands.size(); ++index)
    if (recipe_.operands[index].access == Access::read_write) written.push_back(symbols_[index].second);
  return written;
}

const TensorHandle& RecipeExpansion::handle_of(std::string_view symbol) const {
  return std::find_if(symbols_.begin(), symbols_.end(),
                      [&](const Symbol& entry) { return entry.first == symbol; })
      ->second;
}

ScalarValue RecipeExpansion::value_of(const StepScalar& scalar) const {
  if (const auto* const written = std::get_if<ScalarValue>(&scalar)) return *written;
  if (const auto* const columns = std::get_if<ReciprocalOfColumns>(&scalar)) {
    const Dims& shape = handle_of(columns->of).shape;
    return 1.0F / static_cast<float>(shape.rank() == 0 ? 1 : shape.back());
  }
  return parameters_[recipe_.parameter_index(std::get<ParameterValue>(scalar).name).value()];
}

void RecipeExpansion::lower(const RecipeStep& step, Scope scope, std::vector<OpSpec>& ops) const {
  OpSpec& op = ops.emplace_back();
  op.kind = step.op;
  op.scope = scope;
  for (const std::string& source : step.sources) op.operands.push_back(handle_of(source));
  for (const StepScalar& scalar : step.extras) op.extras.push_back(value_of(scalar));
  op.out = handle_of(step.dst);
  std::optional<MathProblem> problem = find_operand_problem(op.kind, op.operands, op.extras);
  if (!problem) problem = find_out_problem(op.kind, op.operands, *op.out);
  if (!problem) return;
  const std::string& symbol =
      problem->operand < step.sources.size() ? step.sources[problem->operand] : step.dst;
  refuse(operand_at_fault(step, symbol),
         fmt::format("in step {} of recipe {}, '{}': {}", name_of(step.op), recipe_.name, symbol,
                     problem->problem),
         problem->remedy);
}

std::string RecipeExpansion::operand_at_fault(const RecipeStep& step, const std::string& symbol) const {
  // An intermediate has the shape of an operand. Operands are checked in declared order, so of the two that
  // do not go together the later one is to blame.
  const auto operand_behind = [&](const std::string& name) -> std::size_t {
    for (const RecipeTensor& tensor : recipe_.temporaries)
      if (tensor.name == name) return recipe_.operand_index(tensor.from_shape).value();
    if (recipe_.primary_out && recipe_.primary_out->tensor.name == name)
      return recipe_.operand_index(recipe_.primary_out->tensor.from_shape).value();
    return recipe_.operand_index(name).value_or(0);
  };
  const std::size_t first = step.sources.empty() ? 0 : operand_behind(step.sources.front());
  const std::size_t at_fault = std::max(first, operand_behind(symbol));
  return at_fault < recipe_.operands.size() ? recipe_.operands[at_fault].name : symbol;
}

}  // namespace petal
