// SPDX-License-Identifier: Apache-2.0
//
// Names that every reader of VCD files takes, made from names that are anything.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace petal {

/// `name` as a VCD name: letters, digits and underscores of ASCII stay, each other character (of UTF-8)
/// becomes an underscore, and a name that begins with a digit, or is empty, gets an underscore before it.
/// `pe[0]` gives `pe_0_`.
std::string vcd_name(std::string_view name);

/// vcd_name of each; where that was given before, `_2`, `_3`, ... is added, the first that nobody has.
std::vector<std::string> distinct_vcd_names(const std::vector<std::string>& names);

}  // namespace petal
