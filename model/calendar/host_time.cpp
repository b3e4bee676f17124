// SPDX-License-Identifier: Apache-2.0
#include "petal/calendar/host_time.hpp"

namespace petal {
namespace {

/// The resolution in femtoseconds: a power of ten of at least one (IEEE 1666 5.11.3).
std::uint64_t femtoseconds_per_tick() {
  return static_cast<std::uint64_t>(sc_core::sc_get_time_resolution().to_seconds() * 1e15 + 0.5);
}

}  // namespace

sc_core::sc_time to_host_time(Picoseconds time) {
  const std::uint64_t tick = femtoseconds_per_tick();
  const auto ps = static_cast<std::uint64_t>(time.count());
  if (tick <= 1000) return sc_core::sc_time::from_value(ps * (1000 / tick));
  const std::uint64_t ps_per_tick = tick / 1000;
  return sc_core::sc_time::from_value((ps + ps_per_tick / 2) / ps_per_tick);
}

Picoseconds to_ledger_time(const sc_core::sc_time& time) {
  const std::uint64_t tick = femtoseconds_per_tick();
  if (tick >= 1000) return Picoseconds(static_cast<std::int64_t>(time.value() * (tick / 1000)));
  const std::uint64_t ticks_per_ps = 1000 / tick;
  return Picoseconds(static_cast<std::int64_t>((time.value() + ticks_per_ps / 2) / ticks_per_ps));
}

}  // namespace petal
