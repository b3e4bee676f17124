// SPDX-License-Identifier: Apache-2.0
//
// AtResponses: the response phases of an AT target of the base protocol. Each requester gets one response at
// a time: the next BEGIN_RESP waits for the END_RESP of the one before.
#pragma once

#include <functional>
#include <map>
#include <systemc>
#include <tlm>

namespace petal {

class AtResponses : public sc_core::sc_module {
 public:
  /// The way back to a requester.
  using Backward = std::function<tlm::tlm_bw_transport_if<>*(int requester)>;

  AtResponses(const sc_core::sc_module_name& name, Backward backward);

  /// BEGIN_RESP for `payload` when `delay` has passed, or later. The payload is held until the response has
  /// ended. Responses of equal times go in the order of these calls.
  void add(int requester, tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  /// The requester has sent END_RESP, which holds when `delay` has passed. Without a response it means
  /// nothing.
  void end(int requester, const tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);

 private:
  struct Lane {
    std::multimap<sc_core::sc_time, tlm::tlm_generic_payload*> waiting;
    tlm::tlm_generic_payload* current = nullptr;  // its END_RESP has not come
    sc_core::sc_time free_at;                     // END_RESP of the one before
  };

  void run();
  void send_due(int requester, Lane& lane);
  void begin_response(int requester, Lane& lane);
  static void finish(Lane& lane, const sc_core::sc_time& delay);

  const Backward backward_;
  std::map<int, Lane> lanes_;
  sc_core::sc_event wake_;
};

}  // namespace petal
