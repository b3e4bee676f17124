// SPDX-License-Identifier: Apache-2.0
#include "petal/bus/bus_inbox.hpp"

#include <utility>

namespace petal {

void BusInbox::put(const Submission& submission) {
  submissions_.written.push_back(submission);
  request_update();
}

void BusInbox::put(BurstStep step, BurstPayload& payload, const sc_core::sc_time& delay) {
  events_.written.push_back({sc_core::sc_time_stamp() + delay, step, &payload, payload.number});
  request_update();
}

void BusInbox::forget_submissions() {
  submissions_ = {};
}

std::vector<Submission> BusInbox::take_submissions() {
  return std::exchange(submissions_.arrived, {});
}

std::vector<BurstEvent> BusInbox::take_events() {
  return std::exchange(events_.arrived, {});
}

void BusInbox::update() {
  const auto deliver = [](auto& box) {
    box.arrived.insert(box.arrived.end(), box.written.begin(), box.written.end());
    box.written.clear();
  };
  deliver(submissions_);
  deliver(events_);
  arrived_.notify(sc_core::SC_ZERO_TIME);
}

}  // namespace petal
