// SPDX-License-Identifier: Apache-2.0
//
// The report's page: one HTML file that holds its style, its program and its data, and loads nothing.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace petal {

/// The page that shows `report` (see report_json).
std::string report_page(const nlohmann::ordered_json& report);

}  // namespace petal
