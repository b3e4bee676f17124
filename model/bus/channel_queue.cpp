// SPDX-License-Identifier: Apache-2.0
#include "petal/bus/channel_queue.hpp"

#include <algorithm>

namespace petal {

void PendingTransfer::fail(tlm::tlm_response_status why, std::uint64_t address) {
  if (status != tlm::TLM_OK_RESPONSE) return;
  status = why;
  fault_address = address;
}

void ChannelQueue::push(BusTransfer& transfer, const sc_core::sc_time& ready) {
  PendingTransfer& pending = waiting_.emplace_back();
  pending.transfer = &transfer;
  pending.ready = ready;
  if (fits_address_space(transfer.pattern))
    pending.bursts = BurstSplit(transfer.pattern, config_);
  else
    pending.fail(tlm::TLM_ADDRESS_ERROR_RESPONSE, transfer.pattern.address);
}

std::optional<sc_core::sc_time> ChannelQueue::ready() const {
  if (waiting_.empty() || waiting_.front().issued() || unanswered_ >= config_.outstanding)
    return std::nullopt;
  return std::max(waiting_.front().ready, free_since_);
}

Burst ChannelQueue::issue() {
  PendingTransfer& transfer = waiting_.front();
  ++unanswered_;
  ++transfer.untaken;
  ++transfer.unanswered;
  return transfer.bursts.next();
}

void ChannelQueue::take(PendingTransfer& transfer, const sc_core::sc_time& now) {
  --transfer.untaken;
  free_since_ = now;
}

void ChannelQueue::answer(PendingTransfer& transfer, const sc_core::sc_time& now) {
  if (unanswered_ == config_.outstanding) free_since_ = now;
  --unanswered_;
  --transfer.unanswered;
}

void ChannelQueue::accept_current() {
  waiting_.front().is_accepted = true;
  answering_.splice(answering_.end(), waiting_, waiting_.begin());
}

void ChannelQueue::remove(const PendingTransfer& transfer) {
  const auto is_this = [&](const PendingTransfer& other) { return &other == &transfer; };
  answering_.erase(std::find_if(answering_.begin(), answering_.end(), is_this));
}

void ChannelQueue::forget() {
  forgotten_.splice(forgotten_.end(), waiting_);
  forgotten_.splice(forgotten_.end(), answering_);
  for (PendingTransfer& transfer : forgotten_) transfer.transfer = nullptr;
}

}  // namespace petal
