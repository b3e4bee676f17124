// SPDX-License-Identifier: Apache-2.0
//
// RecipeTable: the recipes that composites may name. A new fused pattern is a new entry here and a change
// nowhere else (ADR-0065 D5).
#pragma once

#include <string_view>
#include <vector>

#include "petal/host/recipe.hpp"

namespace petal {

class RecipeTable {
 public:
  /// The built-in recipes (standard_recipes.hpp).
  static RecipeTable standard();

  /// Adds a recipe. Throws ConfigError, naming the recipe and what is wrong with it, if its name is taken or
  /// is an opcode's, if a step names an unknown tensor or parameter, writes a read-only operand or does not
  /// fit its opcode's schema, or if it breaks the rules of its tile_alignment or of its primary out.
  void add(RecipeDescriptor recipe);

  /// Null if there is none of that name.
  const RecipeDescriptor* find(std::string_view name) const;
  const std::vector<RecipeDescriptor>& recipes() const { return recipes_; }

 private:
  std::vector<RecipeDescriptor> recipes_;
};

}  // namespace petal
