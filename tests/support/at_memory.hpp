// SPDX-License-Identifier: Apache-2.0
//
// AtMemory: a memory behind nb_transport that answers in any of the ways the base protocol allows, and writes
// down what its initiator does against the protocol.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <map>

#include "support/bus_memory.hpp"

namespace petal::test {

enum class AtStyle {
  two_calls,          ///< ACCEPTED; END_REQ and BEGIN_RESP are calls, each at its time
  annotated_calls,    ///< the same calls, early, with the rest of the time annotated
  end_req_returned,   ///< UPDATED with END_REQ and a delay; BEGIN_RESP is a call
  response_only,      ///< ACCEPTED; BEGIN_RESP, which implies END_REQ, is a call
  response_returned,  ///< UPDATED with BEGIN_RESP and a delay
  completed,          ///< COMPLETED with a delay
  in_turn             ///< one after the other, the four first ones
};

class AtMemory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<AtMemory, 64> socket;

  /// `accept` is the time from BEGIN_REQ to END_REQ.
  AtMemory(const sc_core::sc_module_name& name, const BusMemoryConfig& config, AtStyle style,
           const sc_core::sc_time& accept = sc_core::SC_ZERO_TIME);

  /// Sends a phase of its own before each of its calls, which the initiator is to ignore.
  void send_ignorable_phases() { sends_ignorable_phases_ = true; }
  /// Transactions under way.
  std::size_t under_way() const { return states_.size(); }
  std::size_t most_under_way() const { return most_under_way_; }

  BusMemory memory;

 private:
  enum class State { requested, taken, responding };
  struct Call {
    tlm::tlm_generic_payload* payload;
    tlm::tlm_phase phase;
    sc_core::sc_time delay;  // to annotate
  };

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  tlm::tlm_sync_enum begin(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void end(tlm::tlm_generic_payload& payload);
  void check_begin(tlm::tlm_generic_payload& payload, const sc_core::sc_time& arrival);
  AtStyle next_style();
  void call_at(const sc_core::sc_time& time, const Call& call);
  void run_calls();
  void send(Call call);
  void end_request(tlm::tlm_generic_payload& payload, const sc_core::sc_time& time);
  void finish(tlm::tlm_generic_payload& payload);

  const AtStyle style_;
  const sc_core::sc_time accept_;
  bool sends_ignorable_phases_ = false;
  std::map<tlm::tlm_generic_payload*, State> states_;
  std::size_t most_under_way_ = 0;
  const tlm::tlm_generic_payload* request_ = nullptr;  // without its END_REQ
  sc_core::sc_time request_free_at_;                   // no BEGIN_REQ before
  std::multimap<sc_core::sc_time, Call> calls_;        // equal times in the order of their entry
  sc_core::sc_event wake_;
};

}  // namespace petal::test
