// SPDX-License-Identifier: Apache-2.0
//
// The recipes that come with PETAL. Each is data, checked as RecipeTable::add checks any other.
#pragma once

#include <vector>

#include "petal/host/recipe.hpp"

namespace petal {

/// Before a GEMM: softmax_merge, softmax, rmsnorm_linear, layernorm_linear. Alone: softmax_combine. On the
/// GEMM's output tiles: linear_gelu, linear_silu_mul.
std::vector<RecipeDescriptor> standard_recipes();

}  // namespace petal
