// SPDX-License-Identifier: Apache-2.0
#include "petal/host/recipe_scratch.hpp"

#include <algorithm>

namespace petal {
namespace {

bool look_alike(const std::vector<TensorHandle>& a, const std::vector<TensorHandle>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const TensorHandle& x, const TensorHandle& y) {
    return x.shape == y.shape && x.dtype == y.dtype;
  });
}

}  // namespace

std::vector<TensorHandle> RecipeScratch::take(const std::string& recipe,
                                              const std::vector<TensorHandle>& wanted) {
  if (arena_.in_scope()) return allocate(wanted);
  // A refused call gives its allocations back, and with them a slot made for it.
  slots_.erase(std::remove_if(slots_.begin(), slots_.end(), [&](const Slot& slot) { return !is_live(slot); }),
               slots_.end());
  const auto found = std::find_if(slots_.begin(), slots_.end(), [&](const Slot& slot) {
    return slot.recipe == recipe && look_alike(slot.tensors, wanted);
  });
  if (found != slots_.end()) return found->tensors;
  slots_.push_back({recipe, allocate(wanted)});
  return slots_.back().tensors;
}

std::vector<TensorHandle> RecipeScratch::allocate(const std::vector<TensorHandle>& wanted) {
  std::vector<TensorHandle> tensors;
  tensors.reserve(wanted.size());
  for (const TensorHandle& like : wanted)
    tensors.push_back(arena_.allocate("composite", like.shape, like.dtype));
  return tensors;
}

bool RecipeScratch::is_live(const Slot& slot) const {
  return std::none_of(slot.tensors.begin(), slot.tensors.end(),
                      [&](const TensorHandle& tensor) { return arena_.find_problem(tensor).has_value(); });
}

}  // namespace petal
