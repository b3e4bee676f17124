// SPDX-License-Identifier: Apache-2.0
#include "petal/calendar/calendar.hpp"

namespace petal {

bool Calendar::goes_first(const Order& order, const Order& other) {
  return order.command != other.command ? order.command < other.command : order.stage < other.stage;
}

std::uint32_t Calendar::free_slot() {
  if (free_slots_.empty()) {
    appointments_.emplace_back();
    return static_cast<std::uint32_t>(appointments_.size() - 1);
  }
  const std::uint32_t slot = free_slots_.back();
  free_slots_.pop_back();
  return slot;
}

// Among equals the one made first is kept first.
void Calendar::schedule(Picoseconds at, Order order, Receiver& receiver, std::uint64_t token) {
  const std::uint32_t slot = free_slot();
  appointments_[slot] = {order, &receiver, token};
  std::size_t place = times_.size();
  times_.push_back(at);
  slots_.push_back(slot);
  for (; place > 0; --place) {
    const Picoseconds later = times_[place - 1];
    if (later > at || (later == at && goes_first(order, appointments_[slots_[place - 1]].order))) break;
    times_[place] = later;
    slots_[place] = slots_[place - 1];
  }
  times_[place] = at;
  slots_[place] = slot;
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
  if (times_.empty() || times_.back() != now_) return false;
  const std::uint32_t slot = slots_.back();
  times_.pop_back();
  slots_.pop_back();
  Receiver& receiver = *appointments_[slot].receiver;
  const std::uint64_t token = appointments_[slot].token;
  free_slots_.push_back(slot);
  receiver.due(token);
  return true;
}

void Calendar::run_requested() {
  const auto step = static_cast<unsigned>(__builtin_ctz(requested_));
  requested_ &= requested_ - 1;
  reactors_[step]->react(static_cast<Step>(step));
}

}  // namespace petal
