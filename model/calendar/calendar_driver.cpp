// SPDX-License-Identifier: Apache-2.0
#include "petal/calendar/calendar_driver.hpp"

namespace petal {

CalendarDriver::CalendarDriver(const sc_core::sc_module_name& name, Pacing pacing)
    : sc_module(name), pacing_(pacing) {
  SC_HAS_PROCESS(CalendarDriver);
  SC_METHOD(run);
}

Calendar* CalendarDriver::earliest() const {
  Calendar* first = nullptr;
  for (Calendar* const calendar : calendars_)
    if (first == nullptr || calendar->next_time() < first->next_time()) first = calendar;
  return first;
}

void CalendarDriver::run() {
  for (;;) {
    Calendar* const calendar = earliest();
    if (calendar == nullptr) return;
    const Picoseconds time = calendar->next_time();
    if (time == kNever) return sleep_until(reached_);
    if (calendar->blocked()) return next_trigger(wake_);
    if (pacing_ == Pacing::lockstep && host_time_.from_ledger(time) > sc_core::sc_time_stamp())
      return sleep_until(time);
    reached_ = time;
    calendar->run_instant();
  }
}

// The kernel's clock follows the ledger, so that sc_start() returns at the time the last instant had.
void CalendarDriver::sleep_until(Picoseconds time) {
  const sc_core::sc_time target = host_time_.from_ledger(time);
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  if (target > now)
    next_trigger(target - now, wake_);
  else
    next_trigger(wake_);
}

}  // namespace petal
