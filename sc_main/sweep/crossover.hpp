// SPDX-License-Identifier: Apache-2.0
//
// Where two measured curves meet.
#pragma once

#include <vector>

namespace petal {

/// Two quantities measured at one place.
struct MeasuredPair {
  double place;
  double first;
  double second;
};

/// The places at which first == ratio * second, ascending: between two neighbours on whose sides the
/// difference has another sign, on the straight line between them. `pairs` need no order.
std::vector<double> crossings(std::vector<MeasuredPair> pairs, double ratio);

}  // namespace petal
