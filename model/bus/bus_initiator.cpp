// SPDX-License-Identifier: Apache-2.0
#include "petal/bus/bus_initiator.hpp"

#include <fmt/format.h>

#include <utility>

#include "petal/calendar/has_process.hpp"
#include "petal/command/error.hpp"

namespace petal {
namespace {

BusConfig checked(const BusConfig& config) {
  const std::uint64_t bytes = config.burst_bytes;
  if (bytes < 16 || bytes > 4096 || (bytes & (bytes - 1)) != 0)
    throw ConfigError(fmt::format("bus: burst_bytes is {}; give a power of two from 16 to 4096", bytes));
  if (config.outstanding == 0) throw ConfigError("bus: outstanding is 0; give 1 or more");
  return config;
}

}  // namespace

BusInitiator::BusInitiator(const sc_core::sc_module_name& name, const BusConfig& config)
    : sc_module(name),
      socket("socket"),
      config_(checked(config)),
      payloads_(config.burst_bytes),
      channels_{ChannelQueue(config), ChannelQueue(config), ChannelQueue(config)},
      regions_(config.dmi),
      inbox_("inbox", wake_),
      workers_(socket, inbox_, wake_) {
  socket.bind(*this);
  PETAL_HAS_PROCESS(BusInitiator);
  SC_METHOD(step);
  sensitive << wake_;
  dont_initialize();
}

void BusInitiator::submit(BusChannel channel, BusTransfer& transfer, const sc_core::sc_time& delay) {
  inbox_.put({channel, &transfer, sc_core::sc_time_stamp() + delay});
}

void BusInitiator::reset() {
  inbox_.forget_submissions();
  for (ChannelQueue& channel : channels_) channel.forget();
  for (BurstPayload* const payload : workers_.take_back()) {
    payload->channel->answer(*payload->transfer, sc_core::sc_time_stamp());
    release(*payload);
  }
  draining_ = true;
  wake_.notify(sc_core::SC_ZERO_TIME);
}

void BusInitiator::on_drained(std::function<void()> function) {
  if (drained())
    function();
  else
    when_drained_.push_back(std::move(function));
}

/// The first look at an instant waits for one delta cycle: what memories and clients say in the instant's
/// first one is then there together with what was known before, however it was said.
void BusInitiator::step() {
  if (instant_ != sc_core::sc_time_stamp()) {
    instant_ = sc_core::sc_time_stamp();
    wake_.notify(sc_core::SC_ZERO_TIME);
    return;
  }
  receive();
  do {
    deliver_due();
    settle_drained();
  } while (issue_due());
  workers_.wake();
  sleep();
}

void BusInitiator::receive() {
  for (const Submission& submission : inbox_.take_submissions())
    channels_[static_cast<std::size_t>(submission.channel)].push(*submission.transfer, submission.ready);
  for (const BurstEvent& event : inbox_.take_events()) agenda_.add(event);
}

void BusInitiator::deliver_due() {
  while (const auto event = agenda_.take_due(sc_core::sc_time_stamp())) {
    if (event->stale()) continue;
    if (event->step == BurstStep::taken)
      take(*event->payload);
    else
      answer(*event->payload);
  }
}

void BusInitiator::settle_drained() {
  if (!drained()) return;
  if (draining_) {
    for (ChannelQueue& channel : channels_) channel.drop_forgotten();
    draining_ = false;
  }
  for (const auto& function : std::exchange(when_drained_, {})) function();
}

/// Issues what can leave now. True if there may be news at once.
bool BusInitiator::issue_due() {
  settle_without_bursts();
  bool has_issued = false;
  while (!draining_ && request_ == nullptr) {
    ChannelQueue* const channel = first_ready();
    if (channel == nullptr) break;
    issue(*channel);
    has_issued = true;
  }
  return has_issued;
}

/// Until the next thing that is known to happen. The rest comes through the inbox.
void BusInitiator::sleep() {
  std::optional<sc_core::sc_time> next = agenda_.next();
  const sc_core::sc_time& now = sc_core::sc_time_stamp();
  const auto consider = [&](const sc_core::sc_time& time) {
    if (time > now && (!next || time < *next)) next = time;
  };
  for (ChannelQueue& channel : channels_)
    if (!draining_ && channel.current() != nullptr) consider(channel.current()->ready);
  if (next) wake_.notify(*next - now);
}

ChannelQueue* BusInitiator::first_ready() {
  ChannelQueue* first = nullptr;
  sc_core::sc_time earliest;
  for (ChannelQueue& channel : channels_) {
    const auto ready = channel.ready();
    if (!ready || *ready > sc_core::sc_time_stamp() || (first != nullptr && *ready >= earliest)) continue;
    first = &channel;
    earliest = *ready;
  }
  return first;
}

/// Transfers of no bytes, and those that cannot be, need no burst.
void BusInitiator::settle_without_bursts() {
  for (ChannelQueue& channel : channels_)
    while (!draining_ && channel.current() != nullptr && channel.current()->issued() &&
           channel.current()->unanswered == 0 && channel.current()->ready <= sc_core::sc_time_stamp())
      settle(channel, *channel.current());
}

void BusInitiator::issue(ChannelQueue& channel) {
  PendingTransfer& transfer = *channel.current();
  const Burst burst = channel.issue();
  const BusTransfer& request = *transfer.transfer;
  BurstPayload& payload = payloads_.acquire();
  payload.request(request.command, burst, request.data == nullptr ? nullptr : request.data + burst.offset);
  payload.number = ++issued_;
  payload.channel = &channel;
  payload.transfer = &transfer;
  ++under_way_;
  if (config_.protocol == BusProtocol::at)
    send_request(payload);
  else
    call(payload);
}

void BusInitiator::send_request(BurstPayload& payload) {
  request_ = &payload;
  sc_core::sc_time delay;
  const AtNews news = begin_request(*socket.operator->(), payload, delay);
  if (news == AtNews::none) return;
  if (news != AtNews::taken) payload.answer_comes = true;
  payload.owes_end_response = news == AtNews::response;
  add_event(news == AtNews::taken ? BurstStep::taken : BurstStep::answered, payload, delay);
}

void BusInitiator::call(BurstPayload& payload) {
  sc_core::sc_time latency;
  if (regions_.transfer(payload, latency))
    add_event(BurstStep::answered, payload, latency);
  else
    workers_.hand_over(payload);
  take(payload);
}

tlm::tlm_sync_enum BusInitiator::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                 sc_core::sc_time& delay) {
  auto* const burst = dynamic_cast<BurstPayload*>(&payload);
  if (burst == nullptr) return tlm::TLM_ACCEPTED;
  switch (news_of(phase)) {
    case AtNews::taken:
      inbox_.put(BurstStep::taken, *burst, delay);
      return tlm::TLM_ACCEPTED;
    case AtNews::response:
      if (!std::exchange(burst->answer_comes, true)) inbox_.put(BurstStep::answered, *burst, delay);
      return tlm::TLM_COMPLETED;
    default:
      return tlm::TLM_ACCEPTED;
  }
}

void BusInitiator::invalidate_direct_mem_ptr(sc_dt::uint64 begin, sc_dt::uint64 end) {
  regions_.invalidate(begin, end);
}

void BusInitiator::take(BurstPayload& payload) {
  if (std::exchange(payload.taken, true)) return;
  if (request_ == &payload) request_ = nullptr;
  payload.channel->take(*payload.transfer, sc_core::sc_time_stamp());
  settle(*payload.channel, *payload.transfer);
}

void BusInitiator::answer(BurstPayload& payload) {
  take(payload);
  if (payload.owes_end_response) end_response(*socket.operator->(), payload);
  finish(payload);
  ChannelQueue& channel = *payload.channel;
  PendingTransfer& transfer = *payload.transfer;
  channel.answer(transfer, sc_core::sc_time_stamp());
  release(payload);
  settle(channel, transfer);
}

/// Gives a burst's result to its transfer.
void BusInitiator::finish(const BurstPayload& payload) {
  if (payload.is_response_ok() && payload.is_dmi_allowed()) ask_for_direct_access(payload);
  PendingTransfer& transfer = *payload.transfer;
  if (transfer.transfer == nullptr) return;
  std::byte* const data = transfer.transfer->data;
  if (!payload.is_response_ok())
    transfer.fail(payload.get_response_status(), payload.burst().address);
  else if (payload.is_read() && data != nullptr)
    payload.fetch(data + payload.burst().offset);
}

void BusInitiator::ask_for_direct_access(const BurstPayload& payload) {
  if (config_.dmi == DmiUse::off || config_.protocol == BusProtocol::at || regions_.covers(payload)) return;
  tlm::tlm_generic_payload question;
  question.set_command(payload.get_command());
  question.set_address(payload.burst().address);
  tlm::tlm_dmi grant;
  if (socket->get_direct_mem_ptr(question, grant)) regions_.add(grant, payload);
}

void BusInitiator::release(BurstPayload& payload) {
  payload.number = 0;
  --under_way_;
  payload.release();
}

/// Calls a transfer's client back if it is time to. The client may submit or reset in there.
void BusInitiator::settle(ChannelQueue& channel, PendingTransfer& transfer) {
  if (transfer.transfer == nullptr) return;
  if (!transfer.is_accepted && transfer.issued() && transfer.untaken == 0) {
    channel.accept_current();
    transfer.transfer->accepted();
    if (transfer.transfer == nullptr) return;
  }
  if (!transfer.is_accepted || transfer.unanswered != 0) return;
  BusTransfer& client = *transfer.transfer;
  client.status = transfer.status;
  client.fault_address = transfer.fault_address;
  channel.remove(transfer);
  client.answered();
}

void BusInitiator::add_event(BurstStep step, BurstPayload& payload, const sc_core::sc_time& delay) {
  agenda_.add({sc_core::sc_time_stamp() + delay, step, &payload, payload.number});
}

}  // namespace petal
