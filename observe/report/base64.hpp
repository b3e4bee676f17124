// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace petal {

/// RFC 4648, with padding.
std::string base64(const std::vector<std::uint8_t>& bytes);

}  // namespace petal
