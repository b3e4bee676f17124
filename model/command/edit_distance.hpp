// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace petal {

/// Letters to insert, drop, replace or swap with their neighbour to turn `a` into `b`; a difference of case
/// alone counts nothing. What "did you mean ..." goes by. Only the first 80 letters are compared.
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace petal
