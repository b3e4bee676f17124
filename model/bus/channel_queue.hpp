// SPDX-License-Identifier: Apache-2.0
//
// ChannelQueue: the transfers of one channel of a BusInitiator, from their submission to their answer, and
// when the channel's next burst may leave.
#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <systemc>

#include "petal/bus/burst_split.hpp"
#include "petal/bus/bus_transfer.hpp"

namespace petal {

/// A transfer that is not answered yet.
struct PendingTransfer {
  BusTransfer* transfer = nullptr;  ///< null: forgotten by a reset
  sc_core::sc_time ready;           ///< its first burst leaves no earlier
  BurstSplit bursts;
  std::uint64_t untaken = 0;     ///< bursts that the bus has not taken yet
  std::uint64_t unanswered = 0;  ///< bursts under way
  bool is_accepted = false;
  tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;  ///< of the first burst that failed
  std::uint64_t fault_address = 0;

  /// True if it has no further burst to issue.
  bool issued() const { return bursts.done() || status != tlm::TLM_OK_RESPONSE; }
  /// Notes a failure, if it is the first.
  void fail(tlm::tlm_response_status why, std::uint64_t address);
};

class ChannelQueue {
 public:
  explicit ChannelQueue(const BusConfig& config) : config_(config) {}

  void push(BusTransfer& transfer, const sc_core::sc_time& ready);
  /// The transfer whose turn it is; null if there is none.
  PendingTransfer* current() { return waiting_.empty() ? nullptr : &waiting_.front(); }
  /// When the current transfer's next burst may leave. Nothing if it has none or the channel has as many
  /// unanswered as it may.
  std::optional<sc_core::sc_time> ready() const;

  /// Takes the current transfer's next burst for issue. Precondition: ready().
  Burst issue();
  /// A burst of `transfer` was taken by the bus at `now`.
  void take(PendingTransfer& transfer, const sc_core::sc_time& now);
  /// A burst of `transfer` was answered at `now`.
  void answer(PendingTransfer& transfer, const sc_core::sc_time& now);
  /// The current transfer is accepted: the next one has its turn.
  void accept_current();
  /// Drops an accepted transfer, of which no burst is under way.
  void remove(const PendingTransfer& transfer);

  /// Forgets all transfers. What is kept of those with bursts under way goes with drop_forgotten().
  void forget();
  /// Precondition: no burst is under way.
  void drop_forgotten() { forgotten_.clear(); }

 private:
  const BusConfig config_;
  std::list<PendingTransfer> waiting_;    // the first is the current one
  std::list<PendingTransfer> answering_;  // accepted
  std::list<PendingTransfer> forgotten_;
  std::uint32_t unanswered_ = 0;
  sc_core::sc_time free_since_;  // when the channel could have sent one more burst
};

}  // namespace petal
