// SPDX-License-Identifier: Apache-2.0
//
// The right-hand side of an axis: "0,5,10", "1:10:1", "[dma,math],[dma]".
#pragma once

#include <string>
#include <vector>

namespace petal {

/// The values that `text` lists, in its order. Commas separate them, but not within brackets, braces or
/// quotes. A value "from:to:step" stands for from, from + step, ... up to and with `to`, and
/// "from:to:*factor" for from, from * factor, ...; these have at most twelve digits.
///
/// Throws ConfigError, beginning with `what`, for a bracket that is not closed, an empty value, and a range
/// that does not get from its start to its end or has more than a million values.
std::vector<std::string> listed_values(const std::string& what, const std::string& text);

}  // namespace petal
