// SPDX-License-Identifier: Apache-2.0
#include "petal/command/fetched_tensors.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "petal/command/error.hpp"

namespace petal {
namespace {

/// The first of `entries` whose index is not below `index`.
template <typename Entries>
auto find_place(Entries& entries, std::uint32_t index) {
  return std::lower_bound(entries.begin(), entries.end(), index,
                          [](const auto& entry, std::uint32_t value) { return entry.index < value; });
}

}  // namespace

void FetchedTensors::set(std::uint32_t index, const TensorHandle& tensor) {
  const auto place = find_place(entries_, index);
  if (place != entries_.end() && place->index == index)
    place->tensor = tensor;
  else
    entries_.insert(place, {index, tensor});
}

TensorHandle FetchedTensors::resolve(TensorReference reference) const {
  const std::uint32_t index = table_index_of(reference);
  const auto place = find_place(entries_, index);
  if (place == entries_.end() || place->index != index)
    throw DecodeError(fmt::format("tensor index {} has not been read from the tensor table", index));
  return at_offset_of(reference, place->tensor);
}

}  // namespace petal
