// SPDX-License-Identifier: Apache-2.0
//
// The register map as people and compilers read it. Pure: no SystemC.
#pragma once

#include <string>

namespace petal {

/// A line a register, its fields below it.
std::string register_table_text();

/// firmware/petal_registers.h: C99, nothing but macros.
std::string register_c_header();

/// docs/registers.md.
std::string register_markdown();

}  // namespace petal
