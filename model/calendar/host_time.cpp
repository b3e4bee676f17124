// SPDX-License-Identifier: Apache-2.0
#include "petal/calendar/host_time.hpp"

#include <algorithm>
#include <cmath>

namespace petal {

// A resolution is a power of ten of at least one femtosecond (IEEE 1666 5.11.3), so one of the two is a whole
// number and the other is one.
HostTime::HostTime() {
  const auto femtoseconds =
      static_cast<std::uint64_t>(std::llround(sc_core::sc_get_time_resolution().to_seconds() * 1e15));
  ticks_per_ps_ = std::max<std::uint64_t>(1, 1000 / femtoseconds);
  ps_per_tick_ = std::max<std::uint64_t>(1, femtoseconds / 1000);
}

Picoseconds HostTime::to_ledger(const sc_core::sc_time& time) const {
  const std::uint64_t ticks = time.value() * ps_per_tick_;
  return Picoseconds(static_cast<std::int64_t>((ticks + ticks_per_ps_ / 2) / ticks_per_ps_));
}

}  // namespace petal
