// SPDX-License-Identifier: Apache-2.0
//
// Figure: a picture as data, before anything knows how it is drawn.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace petal {

enum class CurveStyle : std::uint8_t {
  marked_line,  ///< a mark at each point, joined
  marks,
  line,
};

struct Curve {
  std::string title;
  CurveStyle style = CurveStyle::marked_line;
  std::vector<std::pair<double, double>> points;
};

struct Figure {
  std::string title;
  std::string x_label;
  std::string y_label;
  bool log_x = false;
  bool log_y = false;
  /// Names on the x axis, for the values 0, 1, 2, ...; empty: x is a number.
  std::vector<std::string> categories;
  bool bars = false;  ///< the curves' values side by side; needs categories
  std::vector<Curve> curves;
};

}  // namespace petal
