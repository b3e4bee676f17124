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

#include <array>
#include <functional>
#include <optional>
#include <systemc>
#include <tlm>
#include <vector>

#include "petal/bus/at_phases.hpp"
#include "petal/bus/bus_agenda.hpp"
#include "petal/bus/bus_config.hpp"
#include "petal/bus/bus_inbox.hpp"
#include "petal/bus/bus_transfer.hpp"
#include "petal/bus/channel_queue.hpp"
#include "petal/bus/dmi_regions.hpp"
#include "petal/bus/lt_workers.hpp"
#include "petal/bus/payload_pool.hpp"

namespace petal {

class BusInitiator : public sc_core::sc_module, private tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_initiator_socket<64> socket;  ///< bound to the memory

  /// Throws ConfigError for a burst size or a limit that BusConfig does not allow.
  BusInitiator(const sc_core::sc_module_name& name, const BusConfig& config);

  /// Queues `transfer` behind those of its channel. Its first burst leaves when `delay` has passed, or later.
  /// From any process, and before the simulation starts.
  void submit(BusChannel channel, BusTransfer& transfer,
              const sc_core::sc_time& delay = sc_core::SC_ZERO_TIME);
  /// Forgets every transfer submitted so far: none is called back any more, and no burst of theirs is issued.
  /// Bursts under way are awaited and their answers dropped. Transfers submitted after it start when that is
  /// done.
  void reset();
  /// True if no burst is under way.
  bool drained() const { return under_way_ == 0; }
  /// Calls `function` once, when no burst is under way: in here if that is so now, else from the initiator's
  /// process.
  void on_drained(std::function<void()> function);

  /// The payloads of its bursts.
  const PayloadPool& payloads() const { return payloads_; }

 private:
  // The memory's calls.
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64 begin, sc_dt::uint64 end) override;

  void step();
  void receive();
  void deliver_due();
  void settle_drained();
  bool issue_due();
  void sleep();

  ChannelQueue* first_ready();
  void settle_without_bursts();
  void issue(ChannelQueue& channel);
  void send_request(BurstPayload& payload);
  void call(BurstPayload& payload);

  void take(BurstPayload& payload);
  void answer(BurstPayload& payload);
  void finish(const BurstPayload& payload);
  void ask_for_direct_access(const BurstPayload& payload);
  void release(BurstPayload& payload);
  void settle(ChannelQueue& channel, PendingTransfer& transfer);
  void add_event(BurstStep step, BurstPayload& payload, const sc_core::sc_time& delay);

  const BusConfig config_;
  PayloadPool payloads_;
  std::array<ChannelQueue, kBusChannels> channels_;
  DmiRegions regions_;
  BusAgenda agenda_;
  sc_core::sc_event wake_;
  BusInbox inbox_;
  LtWorkers workers_;
  std::optional<sc_core::sc_time> instant_;  // of the latest activation
  BurstPayload* request_ = nullptr;          // AT: on the socket, without its END_REQ
  std::uint64_t issued_ = 0;
  std::uint64_t under_way_ = 0;
  bool draining_ = false;  // after a reset
  std::vector<std::function<void()>> when_drained_;
};

}  // namespace petal
