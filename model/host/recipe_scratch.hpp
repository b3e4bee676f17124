// SPDX-License-Identifier: Apache-2.0
//
// RecipeScratch: where a recipe's intermediates live. Inside a scratch scope they belong to it; outside of
// all scopes they would never be freed, so each recipe then has one slot a shape for as long as the kernel
// runs (SPEC 3).
#pragma once

#include <string>
#include <vector>

#include "petal/command/tensor_handle.hpp"
#include "petal/host/scratch_arena.hpp"

namespace petal {

class RecipeScratch {
 public:
  explicit RecipeScratch(ScratchArena& arena) : arena_(arena) {}

  /// Tensors of the shapes and dtypes of `wanted` for a use of `recipe`. Throws EmitError if they do not fit.
  std::vector<TensorHandle> take(const std::string& recipe, const std::vector<TensorHandle>& wanted);

 private:
  struct Slot {
    std::string recipe;
    std::vector<TensorHandle> tensors;
  };
  std::vector<TensorHandle> allocate(const std::vector<TensorHandle>& wanted);
  bool is_live(const Slot& slot) const;

  ScratchArena& arena_;
  std::vector<Slot> slots_;
};

}  // namespace petal
