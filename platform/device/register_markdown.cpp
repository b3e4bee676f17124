// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "petal/device/register_map.hpp"
#include "petal/device/register_structures.hpp"
#include "petal/device/register_text.hpp"

namespace petal {

std::string register_markdown() {
  return "# Registers\n";
}

}  // namespace petal
