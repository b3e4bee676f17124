// SPDX-License-Identifier: Apache-2.0
//
// LtWorkers: the processes that call b_transport, in which a memory may wait. They are made as they are
// needed and used again.
//
// Bursts are called in the order in which they were handed over, whichever process comes first. A process
// goes on with the next burst as long as the memory returns without waiting; one more process is started only
// while one waits.
#pragma once

#include <deque>
#include <systemc>
#include <tlm>
#include <utility>
#include <vector>

#include "petal/bus/bus_inbox.hpp"

namespace petal {

class LtWorkers {
 public:
  /// Answers go to `inbox`. `look_again` is notified when bursts are left over that need one more process.
  LtWorkers(tlm::tlm_initiator_socket<64>& socket, BusInbox& inbox, sc_core::sc_event& look_again)
      : socket_(socket), inbox_(inbox), look_again_(look_again) {}
  LtWorkers(const LtWorkers&) = delete;
  LtWorkers& operator=(const LtWorkers&) = delete;

  void hand_over(BurstPayload& payload) { handed_.push_back(&payload); }
  /// Sees to it that a process takes what was handed over. From the initiator's process, to which new ones
  /// belong.
  void wake();
  /// Takes back the bursts that no process has taken yet.
  std::deque<BurstPayload*> take_back() { return std::exchange(handed_, {}); }
  /// How many processes there are.
  std::size_t size() const { return workers_.size(); }

 private:
  struct Worker {
    sc_core::sc_event wake;
  };

  void start_worker();
  void work(Worker& worker);
  void call_all();

  tlm::tlm_initiator_socket<64>& socket_;
  BusInbox& inbox_;
  sc_core::sc_event& look_again_;
  std::deque<BurstPayload*> handed_;
  std::deque<Worker> workers_;  // they stay where they are
  std::vector<Worker*> idle_;
  bool waking_ = false;  // a process is about to run
};

}  // namespace petal
