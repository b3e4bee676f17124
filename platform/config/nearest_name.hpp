// SPDX-License-Identifier: Apache-2.0
//
// "Did you mean ...": the closest of a set of names to one that is not among them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace petal {

/// Letters to insert, drop, replace or swap with their neighbour to turn `a` into `b`; a difference of case
/// alone counts nothing.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate closest to `name` (the first of equals); empty if there is none.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace petal
