// SPDX-License-Identifier: Apache-2.0
#include "petal/memory/at_responses.hpp"

#include <algorithm>
#include <utility>

#include "petal/calendar/has_process.hpp"

namespace petal {

AtResponses::AtResponses(const sc_core::sc_module_name& name, Backward backward)
    : sc_module(name), backward_(std::move(backward)) {
  PETAL_HAS_PROCESS(AtResponses);
  SC_METHOD(run);
  sensitive << wake_;
  dont_initialize();
}

void AtResponses::add(int requester, tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  if (payload.has_mm()) payload.acquire();
  lanes_[requester].waiting.emplace(sc_core::sc_time_stamp() + delay, &payload);
  wake_.notify(delay);
}

void AtResponses::end(int requester, const tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  Lane& lane = lanes_[requester];
  if (lane.current != &payload) return;
  finish(lane, delay);
  wake_.notify(delay);
}

void AtResponses::run() {
  for (auto& [requester, lane] : lanes_) send_due(requester, lane);
}

/// Sends what is due, and wakes again for what is next.
void AtResponses::send_due(int requester, Lane& lane) {
  const sc_core::sc_time& now = sc_core::sc_time_stamp();
  while (lane.current == nullptr && !lane.waiting.empty()) {
    const sc_core::sc_time due = std::max(lane.waiting.begin()->first, lane.free_at);
    if (due > now) {
      wake_.notify(due - now);
      return;
    }
    begin_response(requester, lane);
  }
}

void AtResponses::begin_response(int requester, Lane& lane) {
  lane.current = lane.waiting.begin()->second;
  lane.waiting.erase(lane.waiting.begin());
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay;
  const tlm::tlm_sync_enum reply = backward_(requester)->nb_transport_bw(*lane.current, phase, delay);
  const bool has_ended = reply == tlm::TLM_COMPLETED || (reply == tlm::TLM_UPDATED && phase == tlm::END_RESP);
  if (has_ended && lane.current != nullptr) finish(lane, delay);
}

void AtResponses::finish(Lane& lane, const sc_core::sc_time& delay) {
  tlm::tlm_generic_payload& payload = *std::exchange(lane.current, nullptr);
  lane.free_at = sc_core::sc_time_stamp() + delay;
  if (payload.has_mm()) payload.release();
}

}  // namespace petal
