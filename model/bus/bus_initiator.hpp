// SPDX-License-Identifier: Apache-2.0
//
// BusInitiator: PETAL's side of a memory socket that speaks the plain TLM-2.0 base protocol, to any memory or
// bus, under LT (b_transport) or AT (nb_transport, four phases).
//
// Transfers come in by three channels and go out as bursts. Under AT one request is on the socket until its
// END_REQ; under LT bursts are calls of b_transport from processes made on demand, so that a memory may wait
// in them. Either way a channel has at most `outstanding` bursts unanswered. Among channels with a burst to
// send the one that has been ready for longest goes first, then the order of BusChannel.
//
// Delays that the memory annotates are waited for. Nothing depends on the order in which SystemC runs the
// processes of one delta cycle. Errors are never reported here: they belong to the transfer.
#pragma once

#include <functional>
#include <systemc>
#include <tlm>

#include "petal/bus/bus_config.hpp"
#include "petal/bus/bus_transfer.hpp"

namespace petal {

class BusInitiator : public sc_core::sc_module {
 public:
  tlm::tlm_initiator_socket<64> socket;  ///< bound to the memory

  /// Throws ConfigError for a burst size or a limit that BusConfig does not allow.
  BusInitiator(const sc_core::sc_module_name& name, const BusConfig& config);

  /// Queues `transfer` behind those of its channel. Its first burst leaves when `delay` has passed, or later.
  /// From any process, and before the simulation starts; not within a call from the socket.
  void submit(BusChannel channel, BusTransfer& transfer,
              const sc_core::sc_time& delay = sc_core::SC_ZERO_TIME);
  /// Forgets every transfer submitted so far: none is called back any more, and no burst of theirs is issued.
  /// Bursts under way are awaited and their answers dropped. Transfers submitted after it start when that is
  /// done.
  void reset();
  /// True if no burst is under way.
  bool drained() const;
  /// Calls `function` once, when no burst is under way: in here if that is so now, else from the initiator's
  /// process.
  void on_drained(std::function<void()> function);
};

}  // namespace petal
