// SPDX-License-Identifier: Apache-2.0
#include "petal/sweep/crossover.hpp"

#include <algorithm>

namespace petal {

std::vector<double> crossings(std::vector<MeasuredPair> pairs, double ratio) {
  std::sort(pairs.begin(), pairs.end(),
            [](const MeasuredPair& a, const MeasuredPair& b) { return a.place < b.place; });
  const auto difference = [ratio](const MeasuredPair& pair) { return pair.first - ratio * pair.second; };
  std::vector<double> places;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const double here = difference(pairs[i]);
    if (here == 0) places.push_back(pairs[i].place);
    if (here == 0 || i + 1 == pairs.size()) continue;
    const double there = difference(pairs[i + 1]);
    if ((here < 0) == (there < 0) || there == 0) continue;
    places.push_back(pairs[i].place + (pairs[i + 1].place - pairs[i].place) * here / (here - there));
  }
  return places;
}

}  // namespace petal
