// SPDX-License-Identifier: Apache-2.0
//
// Bus: connects initiators to targets by address. It takes no time of its own; what takes time is the
// targets.
#pragma once

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/peq_with_get.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <systemc>
#include <unordered_map>
#include <vector>

#include "petal/vp/address_map.hpp"

namespace petal::vp {

/// A target sees addresses that count from 0 at its first byte; DMI grants and invalidations are translated
/// back. An access that does not lie in one target wholly is answered TLM_ADDRESS_ERROR_RESPONSE at once and
/// reaches nobody. A debug access is cut at the end of its target.
///
/// Both protocols may be used at the same time. With nb_transport the exclusion rules hold at every socket: a
/// target is sent a request only after it has ended the one before (waiting requests go in order of arrival),
/// an initiator a response only after it has ended the one before.
class Bus : public sc_core::sc_module {
 public:
  using TargetSide = tlm_utils::passthrough_target_socket_tagged<Bus, 64>;
  using InitiatorSide = tlm_utils::simple_initiator_socket_tagged<Bus, 64>;

  Bus(const sc_core::sc_module_name& name, std::size_t initiators, AddressMap map);
  ~Bus() override;

  /// The socket for initiator number `index`. Precondition: it is below the number given. Each must be bound.
  TargetSide& from_initiator(std::size_t index);
  /// The socket for the target of that name in the map. Throws ConfigError if there is none. Each must be
  /// bound.
  InitiatorSide& to_target(const std::string& name);

 private:
  struct Initiator;
  struct Target;
  /// What is remembered of a transaction between its phases.
  struct Route {
    Initiator* initiator;
    Target* target;
    std::uint64_t address;  ///< as the initiator gave it
    bool request_ended;
    bool response_held;  ///< the target's BEGIN_RESP waits for its END_RESP, or stands in line for that
  };

  void b_transport(int initiator, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  bool get_direct_mem_ptr(int initiator, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& grant);
  unsigned int transport_dbg(int initiator, tlm::tlm_generic_payload& payload);
  tlm::tlm_sync_enum nb_transport_fw(int initiator, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_bw(int target, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  void invalidate_direct_mem_ptr(int target, sc_dt::uint64 first, sc_dt::uint64 last);

  /// The target of an access that lies in it wholly; null if there is none.
  Target* find(const tlm::tlm_generic_payload& payload) const;
  tlm::tlm_sync_enum begin_request(Initiator& initiator, tlm::tlm_generic_payload& payload,
                                   const sc_core::sc_time& delay);
  tlm::tlm_sync_enum end_response(Initiator& initiator, tlm::tlm_generic_payload& payload,
                                  sc_core::sc_time& delay);
  void send_requests(Target& target);
  void send_request(Target& target, tlm::tlm_generic_payload& payload);
  /// What the target says of a transaction: END_REQ or BEGIN_RESP.
  void receive(Route& route, tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase,
               const sc_core::sc_time& delay);
  /// The target can be sent the next request, `delay` from now.
  static void end_request(Route& route, const sc_core::sc_time& delay);
  void send_responses(Initiator& initiator);
  void send_response(Initiator& initiator, tlm::tlm_generic_payload& payload);

  const AddressMap map_;
  std::vector<std::unique_ptr<Initiator>> initiators_;
  std::vector<std::unique_ptr<Target>> targets_;
  std::unordered_map<tlm::tlm_generic_payload*, Route> routes_;
};

}  // namespace petal::vp
