// SPDX-License-Identifier: Apache-2.0
//
// How the parts of the register map are called where people read them.
#pragma once

#include <string>

#include "petal/device/register_map.hpp"

namespace petal {

/// "RO", "RW", "RW1C", "WO".
std::string_view word_of(RegisterAccessKind access);

/// The access of the register as a whole, that of its first field: "RW locked".
std::string access_text(const RegisterInfo& info);

/// "0x1", or "configured".
std::string reset_text(const RegisterInfo& info);

/// The register is a number without parts.
bool is_one_number(const RegisterInfo& info);

/// "3", "23:0".
std::string bits_text(unsigned low, unsigned width);

}  // namespace petal
