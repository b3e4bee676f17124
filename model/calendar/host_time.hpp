// SPDX-License-Identifier: Apache-2.0
//
// Between the ledger's picoseconds and the host's sc_time, whatever its resolution (SPEC 2: the model never
// sets the resolution and works at the host's). An event is the nearest time the host can represent.
#pragma once

#include <systemc>

#include "petal/command/units.hpp"

namespace petal {

/// The scale between the two. Made while modules are built: the host sets its resolution before that.
class HostTime {
 public:
  HostTime();

  /// The nearest host time; half a tick rounds up.
  sc_core::sc_time from_ledger(Picoseconds time) const {
    const auto ps = static_cast<std::uint64_t>(time.count());
    return sc_core::sc_time::from_value(ps_per_tick_ == 1 ? ps * ticks_per_ps_
                                                          : (ps + ps_per_tick_ / 2) / ps_per_tick_);
  }
  /// The nearest picosecond.
  Picoseconds to_ledger(const sc_core::sc_time& time) const;

 private:
  std::uint64_t ticks_per_ps_;  // 1 for resolutions of a picosecond or more
  std::uint64_t ps_per_tick_;   // 1 for resolutions of a picosecond or less
};

}  // namespace petal
