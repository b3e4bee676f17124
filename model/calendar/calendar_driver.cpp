// SPDX-License-Identifier: Apache-2.0
#include "petal/calendar/calendar_driver.hpp"

#include <algorithm>
#include <utility>

#include "petal/calendar/has_process.hpp"

namespace petal {

CalendarDriver::CalendarDriver(const sc_core::sc_module_name& name, Pacing pacing)
    : sc_module(name), pacing_(pacing) {
  PETAL_HAS_PROCESS(CalendarDriver);
  SC_METHOD(run);
}

bool CalendarDriver::is_later(const Entry& a, const Entry& b) {
  return a.next != b.next ? a.next > b.next : a.index > b.index;
}

void CalendarDriver::rebuild() {
  for (Entry& entry : queue_) entry.next = entry.calendar->next_time();
  std::make_heap(queue_.begin(), queue_.end(), is_later);
  stale_ = false;
}

// Only the first calendar has run, so only it can have moved, and only to a later time.
void CalendarDriver::sink_first() {
  std::size_t place = 0;
  for (;;) {
    std::size_t child = 2 * place + 1;
    if (child >= queue_.size()) return;
    if (child + 1 < queue_.size() && is_later(queue_[child], queue_[child + 1])) ++child;
    if (!is_later(queue_[place], queue_[child])) return;
    std::swap(queue_[place], queue_[child]);
    place = child;
  }
}

void CalendarDriver::run() {
  if (queue_.empty()) return;
  for (;;) {
    if (stale_) rebuild();
    Calendar& calendar = *queue_.front().calendar;
    const Picoseconds time = queue_.front().next;
    if (time == kNever) return sleep_until(reached_);
    if (calendar.blocked()) return next_trigger(wake_);
    if (pacing_ == Pacing::lockstep && host_time_.from_ledger(time) > sc_core::sc_time_stamp())
      return sleep_until(time);
    run_first();
    sink_first();
  }
}

// While it stays the only one that is first, the others need not be looked at.
void CalendarDriver::run_first() {
  Entry& first = queue_.front();
  Calendar& calendar = *first.calendar;
  const Picoseconds others = pacing_ == Pacing::run_ahead ? next_of_others() : first.next;
  do {
    reached_ = first.next;
    calendar.run_instant();
    first.next = calendar.next_time();
  } while (first.next < others && !calendar.blocked() && !stale_);
}

Picoseconds CalendarDriver::next_of_others() const {
  Picoseconds earliest = kNever;
  for (std::size_t child = 1; child < std::min<std::size_t>(3, queue_.size()); ++child)
    earliest = std::min(earliest, queue_[child].next);
  return earliest;
}

// The kernel's clock follows the ledger, so that sc_start() returns at the time the last instant had.
void CalendarDriver::sleep_until(Picoseconds time) {
  const sc_core::sc_time target = host_time_.from_ledger(time);
  const sc_core::sc_time& now = sc_core::sc_time_stamp();
  if (target > now)
    next_trigger(target - now, wake_);
  else
    next_trigger(wake_);
}

}  // namespace petal
