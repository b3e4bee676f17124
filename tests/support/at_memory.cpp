// SPDX-License-Identifier: Apache-2.0
#include "support/at_memory.hpp"

#include <algorithm>

#include "petal/calendar/has_process.hpp"

namespace petal::test {

TLM_DECLARE_EXTENDED_PHASE(phase_nobody_knows);

AtMemory::AtMemory(const sc_core::sc_module_name& name, const BusMemoryConfig& config, AtStyle style,
                   const sc_core::sc_time& accept)
    : sc_module(name), socket("socket"), memory(config), style_(style), accept_(accept) {
  socket.register_nb_transport_fw(this, &AtMemory::nb_transport_fw);
  PETAL_HAS_PROCESS(AtMemory);
  SC_METHOD(run_calls);
  sensitive << wake_;
  dont_initialize();
}

tlm::tlm_sync_enum AtMemory::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                             sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_REQ) return begin(payload, phase, delay);
  if (phase == tlm::END_RESP)
    end(payload);
  else
    memory.violation("the initiator sent a phase that is not its own");
  return tlm::TLM_COMPLETED;
}

tlm::tlm_sync_enum AtMemory::begin(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                   sc_core::sc_time& delay) {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  const sc_core::sc_time arrival = now + delay;
  check_begin(payload, arrival);
  payload.acquire();
  states_[&payload] = State::requested;
  most_under_way_ = std::max(most_under_way_, states_.size());
  request_ = &payload;
  const sc_core::sc_time answer = memory.serve(payload, arrival);
  const sc_core::sc_time accept = arrival + accept_;
  switch (next_style()) {
    case AtStyle::annotated_calls:
      call_at(now, {&payload, tlm::END_REQ, accept - now});
      call_at(accept, {&payload, tlm::BEGIN_RESP, answer - accept});
      return tlm::TLM_ACCEPTED;
    case AtStyle::end_req_returned:
      end_request(payload, accept);
      call_at(answer, {&payload, tlm::BEGIN_RESP, sc_core::SC_ZERO_TIME});
      phase = tlm::END_REQ;
      delay = accept - now;
      return tlm::TLM_UPDATED;
    case AtStyle::response_only:
      call_at(answer, {&payload, tlm::BEGIN_RESP, sc_core::SC_ZERO_TIME});
      return tlm::TLM_ACCEPTED;
    case AtStyle::response_returned:
      end_request(payload, answer);
      states_[&payload] = State::responding;
      phase = tlm::BEGIN_RESP;
      delay = answer - now;
      return tlm::TLM_UPDATED;
    case AtStyle::completed:
      end_request(payload, answer);
      finish(payload);
      delay = answer - now;
      return tlm::TLM_COMPLETED;
    default:
      call_at(accept, {&payload, tlm::END_REQ, sc_core::SC_ZERO_TIME});
      call_at(answer, {&payload, tlm::BEGIN_RESP, sc_core::SC_ZERO_TIME});
      return tlm::TLM_ACCEPTED;
  }
}

void AtMemory::end(tlm::tlm_generic_payload& payload) {
  const auto state = states_.find(&payload);
  if (state == states_.end() || state->second != State::responding) {
    memory.violation("END_RESP without BEGIN_RESP");
    return;
  }
  finish(payload);
}

void AtMemory::check_begin(tlm::tlm_generic_payload& payload, const sc_core::sc_time& arrival) {
  if (states_.count(&payload) != 0) memory.violation("BEGIN_REQ for a payload that is under way");
  if (request_ != nullptr) memory.violation("BEGIN_REQ before the END_REQ of the request before it");
  if (arrival < request_free_at_) memory.violation("BEGIN_REQ before the annotated time of the last END_REQ");
}

AtStyle AtMemory::next_style() {
  return style_ == AtStyle::in_turn ? static_cast<AtStyle>((memory.seen().size() - 1) % 4) : style_;
}

void AtMemory::call_at(const sc_core::sc_time& time, const Call& call) {
  calls_.emplace(time, call);
  wake_.notify(sc_core::SC_ZERO_TIME);
}

void AtMemory::run_calls() {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  while (!calls_.empty() && calls_.begin()->first <= now) {
    const Call call = calls_.begin()->second;
    calls_.erase(calls_.begin());
    send(call);
  }
  if (!calls_.empty()) wake_.notify(calls_.begin()->first - now);
}

void AtMemory::send(Call call) {
  if (sends_ignorable_phases_) {
    tlm::tlm_phase phase = phase_nobody_knows;
    sc_core::sc_time delay;
    if (socket->nb_transport_bw(*call.payload, phase, delay) != tlm::TLM_ACCEPTED)
      memory.violation("the initiator answered a phase it cannot know");
  }
  const sc_core::sc_time time = sc_core::sc_time_stamp() + call.delay;
  if (request_ == call.payload) end_request(*call.payload, time);
  states_[call.payload] = call.phase == tlm::END_REQ ? State::taken : State::responding;
  const bool is_response = call.phase == tlm::BEGIN_RESP;
  const tlm::tlm_sync_enum reply = socket->nb_transport_bw(*call.payload, call.phase, call.delay);
  const bool is_ended =
      reply == tlm::TLM_COMPLETED || (reply == tlm::TLM_UPDATED && call.phase == tlm::END_RESP);
  if (is_response && is_ended) finish(*call.payload);
  if (!is_response && reply != tlm::TLM_ACCEPTED) memory.violation("END_REQ was not simply accepted");
}

void AtMemory::end_request(tlm::tlm_generic_payload& payload, const sc_core::sc_time& time) {
  if (request_ == &payload) request_ = nullptr;
  request_free_at_ = time;
}

void AtMemory::finish(tlm::tlm_generic_payload& payload) {
  states_.erase(&payload);
  payload.release();
}

}  // namespace petal::test
