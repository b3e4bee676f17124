// SPDX-License-Identifier: Apache-2.0
//
// PETAL_HAS_PROCESS(Module): stands where SC_HAS_PROCESS(Module) would, before a module's first SC_METHOD or
// SC_THREAD. IEEE 1666-2011 (SystemC 2.3) needs it; IEEE 1666-2023 (SystemC 3.0) does not, and warns of its
// use.
#pragma once

#include <systemc>

#if IEEE_1666_SYSTEMC >= 202301L
#define PETAL_HAS_PROCESS(Module) static_assert(true, "")
#else
#define PETAL_HAS_PROCESS(Module) SC_HAS_PROCESS(Module)
#endif
