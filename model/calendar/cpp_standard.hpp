// SPDX-License-Identifier: Apache-2.0
//
// Stops a program that is compiled as another C++ standard than PETAL's libraries: SystemC does not link
// across standards, and the linker's message would not say so.
#pragma once

static_assert(__cplusplus == 201703L,
              "PETAL and the SystemC it uses are compiled as C++17: compile this as C++17, too");
