// SPDX-License-Identifier: Apache-2.0
#include "petal/config/nearest_name.hpp"

#include <limits>

#include "petal/command/edit_distance.hpp"

namespace petal {

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = std::numeric_limits<std::size_t>::max();
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance >= best_distance) continue;
    best = candidate;
    best_distance = distance;
  }
  return best;
}

}  // namespace petal
