// SPDX-License-Identifier: Apache-2.0
//
// BusInbox: what other processes tell the initiator's process. It arrives in the next delta cycle, all of it
// together, so that nothing depends on which process of the present one runs first.
#pragma once

#include <systemc>
#include <vector>

#include "petal/bus/bus_agenda.hpp"
#include "petal/bus/bus_transfer.hpp"

namespace petal {

struct Submission {
  BusChannel channel = BusChannel::dma_read;
  BusTransfer* transfer = nullptr;
  sc_core::sc_time ready;
};

class BusInbox : public sc_core::sc_prim_channel {
 public:
  /// `arrived` is notified when something has arrived.
  BusInbox(const char* name, sc_core::sc_event& arrived) : sc_prim_channel(name), arrived_(arrived) {}

  void put(const Submission& submission);
  /// `step` happens to `payload` when `delay` has passed.
  void put(BurstStep step, BurstPayload& payload, const sc_core::sc_time& delay);
  void forget_submissions();

  /// What has arrived since the last call.
  std::vector<Submission> take_submissions();
  std::vector<BurstEvent> take_events();

 private:
  /// Written in this delta cycle; arrived in earlier ones.
  template <typename Item>
  struct Box {
    std::vector<Item> written;
    std::vector<Item> arrived;
  };

  void update() override;

  sc_core::sc_event& arrived_;
  Box<Submission> submissions_;
  Box<BurstEvent> events_;
};

}  // namespace petal
