// SPDX-License-Identifier: Apache-2.0
//
// What a sweep's table says of each point, beside the point itself: columns taken from its summary.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace petal {

struct PointColumn {
  std::string name;
  std::string unit;  ///< "ps", "bytes", ...; empty if it has none
  std::function<std::string(const nlohmann::json& summary)> text;  ///< empty: the summary has no such number
};

/// The columns of every table, in order. Shares and utilisations are of the run's time over all PEs, 0 to 1.
const std::vector<PointColumn>& point_columns();

/// The value that the summary's configuration has for the key at a full path ("platform.pe.attrs...").
PointColumn config_column(const std::string& name, const std::string& path);

}  // namespace petal
