// SPDX-License-Identifier: Apache-2.0
#include "petal/host/recipe.hpp"

namespace petal {

std::optional<std::size_t> RecipeDescriptor::operand_index(std::string_view operand) const {
  for (std::size_t index = 0; index < operands.size(); ++index)
    if (operands[index].name == operand) return index;
  return std::nullopt;
}

Bytes RecipeDescriptor::internal_scratch_bytes(const std::vector<TensorHandle>& handles) const {
  const auto bytes_of = [&](const RecipeTensor& tensor) {
    const TensorHandle& shaped = handles.at(operand_index(tensor.from_shape).value());
    const TensorHandle& typed = handles.at(operand_index(tensor.from_dtype).value());
    return Bytes(shaped.elements() * size_of(typed.dtype));
  };
  Bytes sum(0);
  for (const RecipeTensor& tensor : temporaries) sum += bytes_of(tensor);
  if (primary_out) sum += bytes_of(primary_out->tensor);
  return sum;
}

}  // namespace petal
