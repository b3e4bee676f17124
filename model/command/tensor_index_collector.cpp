// SPDX-License-Identifier: Apache-2.0
#include "petal/command/tensor_index_collector.hpp"

#include <algorithm>
#include <utility>

namespace petal {

TensorHandle TensorIndexCollector::resolve(TensorReference reference) const {
  indices_.push_back(table_index_of(reference));
  return {};
}

std::vector<std::uint32_t> TensorIndexCollector::take() {
  std::vector<std::uint32_t> taken = std::exchange(indices_, {});
  std::sort(taken.begin(), taken.end());
  taken.erase(std::unique(taken.begin(), taken.end()), taken.end());
  return taken;
}

}  // namespace petal
