// SPDX-License-Identifier: Apache-2.0
//
// BusAgenda: what will happen to bursts under way, in the order of time, then of the bursts' issue.
#pragma once

#include <optional>
#include <queue>
#include <systemc>
#include <vector>

#include "petal/bus/burst_payload.hpp"

namespace petal {

enum class BurstStep : std::uint8_t { taken, answered };

/// A step of a burst. Things of the past may be announced late or twice; they are told by the burst's number.
struct BurstEvent {
  sc_core::sc_time time;
  BurstStep step = BurstStep::taken;
  BurstPayload* payload = nullptr;
  std::uint64_t number = 0;  ///< the payload's at the time

  bool stale() const { return number == 0 || payload->number != number; }
};

class BusAgenda {
 public:
  void add(const BurstEvent& event) { events_.push(event); }
  /// Takes the first event that is due at `now`; nothing if none is.
  std::optional<BurstEvent> take_due(const sc_core::sc_time& now);
  /// When the first event is; nothing if there is none.
  std::optional<sc_core::sc_time> next() const;

 private:
  struct IsLater {
    bool operator()(const BurstEvent& a, const BurstEvent& b) const;
  };
  std::priority_queue<BurstEvent, std::vector<BurstEvent>, IsLater> events_;
};

}  // namespace petal
