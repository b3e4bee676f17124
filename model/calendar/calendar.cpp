// SPDX-License-Identifier: Apache-2.0
#include "petal/calendar/calendar.hpp"

namespace petal {

bool Calendar::is_later(const Appointment& a, const Appointment& b) {
  if (a.at != b.at) return a.at > b.at;
  if (a.order.command != b.order.command) return a.order.command > b.order.command;
  return a.order.stage > b.order.stage;
}

// Among equals the one made first is kept first.
void Calendar::schedule(Picoseconds at, Order order, Receiver& receiver, std::uint64_t token) {
  const Appointment appointment{at, order, &receiver, token};
  std::size_t place = agenda_.size();
  agenda_.push_back(appointment);
  for (; place > 0 && !is_later(agenda_[place - 1], appointment); --place)
    agenda_[place] = agenda_[place - 1];
  agenda_[place] = appointment;
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
  if (agenda_.empty() || agenda_.back().at != now_) return false;
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
