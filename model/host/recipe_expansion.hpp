// SPDX-License-Identifier: Apache-2.0
//
// RecipeExpansion: from one use of a recipe in a composite to flat ops (ADR-0065 D5).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "petal/command/op_spec.hpp"
#include "petal/host/composite_request.hpp"
#include "petal/host/recipe.hpp"
#include "petal/host/recipe_scratch.hpp"
#include "petal/host/scratch_arena.hpp"

namespace petal {

class RecipeExpansion {
 public:
  /// Binds the operands of `entry`. Throws EmitError for one that is missing, unknown, given twice, in HBM,
  /// freed, not floating, given as read-only (or with elements at one address) where the recipe writes, or
  /// that overlaps one that is written; for a scalar that is none of its parameters, or no float; and for an
  /// `out`, which a recipe does not take.
  RecipeExpansion(const RecipeDescriptor& recipe, const CompositeEntry& entry, const ScratchArena& arena);

  /// A tensor of the shape and dtype of the primary out, at no address. Precondition: the recipe has one.
  TensorHandle primary_out_like() const;

  /// Appends the ops of a single_shot recipe, KERNEL scope, to `ops`. `primary_out` is where the primary out
  /// goes, scratch of the recipe if it is not given. Throws EmitError, naming the operand, if shapes do not
  /// go together or scratch runs out.
  void expand_once(RecipeScratch& scratch, const std::optional<TensorHandle>& primary_out,
                   std::vector<OpSpec>& ops);
  /// Where the primary out went. Precondition: the recipe has one and was expanded.
  const TensorHandle& primary_out() const { return handle_of(recipe_.primary_out->tensor.name); }

  /// Appends the ops of a tile_aligned recipe, OUTPUT_TILE scope, in place on `accumulator`.
  void expand_on_tiles(const TensorHandle& accumulator, std::vector<OpSpec>& ops);

  /// The operands that the recipe writes, in declared order.
  std::vector<TensorHandle> written_operands() const;

 private:
  using Symbol = std::pair<std::string_view, TensorHandle>;

  void bind(const CompositeEntry& entry);
  void bind_parameters(const CompositeEntry& entry);
  void check_operand(const RecipeOperand& operand, const NamedOperand& given) const;
  void check_overlaps() const;
  TensorHandle like(const RecipeTensor& tensor) const;
  std::vector<TensorHandle> operand_handles() const;
  const TensorHandle& handle_of(std::string_view symbol) const;
  ScalarValue value_of(const StepScalar& scalar) const;
  void lower(const RecipeStep& step, Scope scope, std::vector<OpSpec>& ops) const;
  std::string operand_at_fault(const RecipeStep& step, const std::string& symbol) const;

  const RecipeDescriptor& recipe_;
  const ScratchArena& arena_;
  std::vector<Symbol> symbols_;    ///< the operands in declared order, then what the recipe makes
  std::vector<float> parameters_;  ///< in declared order
};

}  // namespace petal
