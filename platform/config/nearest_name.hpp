// SPDX-License-Identifier: Apache-2.0
//
// "Did you mean ...": the closest of a set of names to one that is not among them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace petal {

/// The candidate closest to `name` by edit_distance (the first of equals); empty if there is none.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace petal
