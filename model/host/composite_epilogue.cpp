// SPDX-License-Identifier: Apache-2.0
//
// The part of CompositeBuilder that lowers what stands after the head.
#include <fmt/format.h>

#include <string>

#include "petal/command/error.hpp"
#include "petal/host/composite_builder.hpp"
#include "petal/host/math_lowering.hpp"
#include "petal/host/recipe_expansion.hpp"
#include "petal/host/tensor_checks.hpp"

namespace petal {
namespace {

constexpr std::string_view kOp = "composite";

[[noreturn]] void refuse(std::string_view operand, const std::string& problem, const std::string& remedy) {
  throw EmitError(std::string(kOp), std::string(operand), problem, remedy);
}

void require_accumulator(const OpcodeSchema& schema, std::string_view operand, const TensorHandle& given,
                         const TensorHandle& out) {
  if (given.same_tensor(out)) return;
  refuse(operand,
         fmt::format("{} works on the accumulator, which is named {} and not {}", schema.name,
                     out.to_string(), given.to_string()),
         "leave it off, or give the head's out");
}

}  // namespace

void CompositeBuilder::lower_epilogue() {
  for (const CompositeEntry& entry : request_.epilogue) {
    if (const RecipeDescriptor* recipe = recipes_.find(entry.op)) {
      lower_epilogue_recipe(*recipe, entry);
      continue;
    }
    const Scope scope = entry.scope.value_or(Scope::output_tile);
    if (scope == Scope::kernel) {
      if (result_.space == Space::hbm)
        refuse("out",
               fmt::format("{} runs after the head and reads its stored result, which lies in HBM", entry.op),
               "give an out in TCM and store() it, or give the op OUTPUT_TILE scope");
      lower_kernel_op(entry, result_, result_, "epilogue");
      kernel_op_after_head_ = true;
    } else {
      lower_tile_op(entry, scope);
    }
  }
}

void CompositeBuilder::lower_epilogue_recipe(const RecipeDescriptor& recipe, const CompositeEntry& entry) {
  if (recipe.tile_alignment != TileAlignment::tile_aligned)
    refuse("epilogue", fmt::format("recipe {} is single_shot: it runs once, before the head", recipe.name),
           "move it to the prologue");
  const Scope scope = entry.scope.value_or(Scope::output_tile);
  if (scope != Scope::output_tile)
    refuse("epilogue",
           fmt::format("recipe {} has scope {}, but it works on output tiles", recipe.name, name_of(scope)),
           "leave the scope off");
  require_tile_scope_allowed(entry, scope);
  RecipeExpansion expansion(recipe, entry, arena_);
  expansion.expand_on_tiles(result_, command_.ops);
}

void CompositeBuilder::require_tile_scope_allowed(const CompositeEntry& entry, Scope scope) const {
  if (!has_gemm())
    refuse("epilogue",
           fmt::format("{} has scope {}, but without a GEMM there are no tiles", entry.op, name_of(scope)),
           "give it KERNEL scope");
  if (kernel_op_after_head_)
    refuse("epilogue",
           fmt::format("{} has scope {} but stands after a KERNEL op, which runs when all tiles are done",
                       entry.op, name_of(scope)),
           "put tile ops before KERNEL ops");
}

void CompositeBuilder::lower_tile_op(const CompositeEntry& entry, Scope scope) {
  const OpcodeSchema& schema = math_schema_named(entry.op, "epilogue");
  require_tile_scope_allowed(entry, scope);
  if (schema.reduces || schema.operands.size() == 0)
    refuse("epilogue", fmt::format("{} cannot work in place on an accumulator tile", schema.name),
           "give it KERNEL scope and an out");
  OpSpec op;
  op.kind = schema.opcode;
  op.scope = scope;
  op.operands = operands_in_order(schema, entry.operands, result_);
  op.extras = scalars_in_order(schema, entry.scalars);
  op.out = result_;
  require_accumulator(schema, schema.operands[0], op.operands.front(), result_);
  if (entry.out) require_accumulator(schema, "out", *entry.out, result_);
  const OperandNames names = operand_names(schema);
  for (std::size_t index = 1; index < op.operands.size(); ++index)
    require_in_tcm(kOp, names[index], op.operands[index], arena_,
                   "epilogue operands are not streamed: load() it first");
  check_math_operands(op, names);
  check_math_out(op, names);
  command_.ops.push_back(std::move(op));
}

}  // namespace petal
