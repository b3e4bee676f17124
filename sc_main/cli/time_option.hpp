// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "petal/command/units.hpp"

namespace petal {

/// A time as a person writes it: a number and a unit of ps, ns, us, ms or s; without one it is ns. Rounded to
/// the picosecond. Throws ConfigError, which names `option`, for anything else.
Picoseconds time_option(const std::string& option, const std::string& text);

}  // namespace petal
