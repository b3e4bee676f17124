// SPDX-License-Identifier: Apache-2.0
#include "petal/calendar/calendar.hpp"

namespace petal {

bool Calendar::goes_first(const Order& order, const Order& other) {
  return order.command != other.command ? order.command < other.command : order.stage < other.stage;
}

// Among equals the one made first is kept first.
void Calendar::schedule(Appointment& appointment, Picoseconds at, Order order) {
  Appointment** place = &first_;
  for (; (*place)->at_ <= at; place = &(*place)->next_)
    if ((*place)->at_ == at && goes_first(order, (*place)->order_)) break;
  appointment.at_ = at;
  appointment.order_ = order;
  appointment.next_ = *place;
  *place = &appointment;
}

void Calendar::clear() {
  while (first_ != &end_) {
    Appointment& appointment = *first_;
    first_ = appointment.next_;
    appointment.next_ = nullptr;
  }
  requested_ = 0;
}

void Calendar::run_instant() {
  now_ = next_time();
  while (!blocked_) {
    if (first_->at_ == now_)
      run_due();
    else if (requested_ != 0)
      run_requested();
    else
      return;
  }
}

void Calendar::run_due() {
  Appointment& appointment = *first_;
  first_ = appointment.next_;
  appointment.next_ = nullptr;
  appointment.receiver_->due(appointment.token_);
}

void Calendar::run_requested() {
  const auto step = static_cast<unsigned>(__builtin_ctz(requested_));
  requested_ &= requested_ - 1;
  reactors_[step]->react(static_cast<Step>(step));
}

}  // namespace petal
