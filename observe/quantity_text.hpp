// SPDX-License-Identifier: Apache-2.0
//
// Numbers as people read them. Logs and JSON do not use these.
#pragma once

#include <cstdint>
#include <string>

#include "petal/command/units.hpp"

namespace petal {

/// 1234567 is "1,234,567".
std::string grouped(std::uint64_t value);
/// The same with so many decimals, rounded: 1234.5 and 2 is "1,234.50".
std::string grouped(double value, int decimals);
/// In the largest of ps, ns, us, ms, s that leaves at least 1, with three decimals (none for ps): "36.914
/// us".
std::string time_text(Picoseconds time);
/// 0.1234 is "12.3 %".
std::string percent(double share);

}  // namespace petal
