// SPDX-License-Identifier: Apache-2.0
#include "petal/bus/bus_agenda.hpp"

namespace petal {

bool BusAgenda::IsLater::operator()(const BurstEvent& a, const BurstEvent& b) const {
  if (a.time != b.time) return a.time > b.time;
  if (a.number != b.number) return a.number > b.number;
  return a.step > b.step;
}

std::optional<BurstEvent> BusAgenda::take_due(const sc_core::sc_time& now) {
  if (events_.empty() || events_.top().time > now) return std::nullopt;
  const BurstEvent event = events_.top();
  events_.pop();
  return event;
}

std::optional<sc_core::sc_time> BusAgenda::next() const {
  if (events_.empty()) return std::nullopt;
  return events_.top().time;
}

}  // namespace petal
