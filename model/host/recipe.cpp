// SPDX-License-Identifier: Apache-2.0
#include "petal/host/recipe.hpp"

namespace petal {
namespace {

template <typename Named>
std::optional<std::size_t> index_in(const std::vector<Named>& list, std::string_view name) {
  for (std::size_t index = 0; index < list.size(); ++index)
    if (list[index].name == name) return index;
  return std::nullopt;
}

}  // namespace

std::optional<std::size_t> RecipeDescriptor::operand_index(std::string_view operand) const {
  return index_in(operands, operand);
}

std::optional<std::size_t> RecipeDescriptor::parameter_index(std::string_view parameter) const {
  return index_in(parameters, parameter);
}

TensorHandle RecipeDescriptor::tensor_like(const RecipeTensor& tensor,
                                           const std::vector<TensorHandle>& handles) const {
  const auto operand = [&](const std::string& named) { return handles.at(operand_index(named).value()); };
  Dims shape = operand(tensor.from_shape).shape;
  if (tensor.axes == RecipeAxes::one_a_row && shape.rank() > 0) shape[shape.rank() - 1] = 1;
  const auto* const typed = std::get_if<std::string>(&tensor.dtype);
  return dense_tensor(Space::tcm, 0, shape, typed ? operand(*typed).dtype : std::get<DType>(tensor.dtype));
}

Bytes RecipeDescriptor::internal_scratch_bytes(const std::vector<TensorHandle>& handles) const {
  Bytes sum(0);
  for (const RecipeTensor& tensor : temporaries) sum += tensor_like(tensor, handles).bytes();
  if (primary_out) sum += tensor_like(primary_out->tensor, handles).bytes();
  return sum;
}

}  // namespace petal
