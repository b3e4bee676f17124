// SPDX-License-Identifier: Apache-2.0
//
// Between the ledger's picoseconds and the host's sc_time, whatever its resolution (SPEC 2: the model never sets
// the resolution and works at the host's). An event is the nearest time the host can represent.
#pragma once

#include <systemc>

#include "petal/command/units.hpp"

namespace petal {

/// The nearest host time. Rounds half up.
sc_core::sc_time to_host_time(Picoseconds time);
/// The nearest picosecond.
Picoseconds to_ledger_time(const sc_core::sc_time& time);

}  // namespace petal
