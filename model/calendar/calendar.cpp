// SPDX-License-Identifier: Apache-2.0
#include "petal/calendar/calendar.hpp"

#include <algorithm>

namespace petal {

void Calendar::schedule(Picoseconds at, Order order, Receiver& receiver, std::uint64_t token) {
  agenda_.push_back({at, order, &receiver, token});
  std::push_heap(agenda_.begin(), agenda_.end(), Later{});
}

void Calendar::run_instant() {
  now_ = next_time();
  while (!blocked_) {
    if (run_due()) continue;
    if (requested_ == 0) return;
    run_requested();
  }
}

bool Calendar::run_due() {
  if (agenda_.empty() || agenda_.front().at != now_) return false;
  std::pop_heap(agenda_.begin(), agenda_.end(), Later{});
  const Appointment appointment = agenda_.back();
  agenda_.pop_back();
  appointment.receiver->due(appointment.token);
  return true;
}

void Calendar::run_requested() {
  unsigned step = 0;
  while ((requested_ & (1U << step)) == 0) ++step;
  requested_ &= ~(1U << step);
  reactors_[step]->react(static_cast<Step>(step));
}

}  // namespace petal
