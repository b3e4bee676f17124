// SPDX-License-Identifier: Apache-2.0
#include "device/at_initiator.hpp"

#include <utility>

#include "petal/calendar/has_process.hpp"

namespace petal {

AtInitiator::AtInitiator(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
  socket.bind(*this);
  PETAL_HAS_PROCESS(AtInitiator);
  SC_METHOD(begin_next_request);
  sensitive << next_request_;
  dont_initialize();
  SC_METHOD(end_response_by_call);
  sensitive << end_response_;
  dont_initialize();
}

AtInitiator::~AtInitiator() = default;

void AtInitiator::add(const Access& access, const sc_core::sc_time& delay) {
  requests_.push_back({access, delay});
  next_request_.notify(sc_core::SC_ZERO_TIME);
}

void AtInitiator::end_responses(EndsResponse how, const sc_core::sc_time& after) {
  ends_response_ = how;
  end_after_ = after;
}

void AtInitiator::free(tlm::tlm_generic_payload* payload) {
  --live_;
  delete[] payload->get_data_ptr();
  delete payload;
}

void AtInitiator::note(const tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase,
                       const sc_core::sc_time& delay) {
  phases_.push_back({payload.get_address(), phase.get_name(), sc_core::sc_time_stamp() + delay});
}

void AtInitiator::begin_next_request() {
  if (requesting_ != nullptr || requests_.empty()) return;
  const Request request = requests_.front();
  requests_.pop_front();
  auto* const payload = new tlm::tlm_generic_payload(this);
  ++live_;
  payload->acquire();
  const auto bytes = static_cast<unsigned int>(request.access.data.size());
  payload->set_data_ptr(new unsigned char[bytes]);
  std::copy(request.access.data.begin(), request.access.data.end(), payload->get_data_ptr());
  payload->set_data_length(bytes);
  payload->set_streaming_width(bytes);
  payload->set_command(request.access.command);
  payload->set_address(request.access.address);
  requesting_ = payload;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = request.delay;
  note(*payload, phase, delay);
  if (socket->nb_transport_fw(*payload, phase, delay) != tlm::TLM_ACCEPTED)
    faults_.emplace_back("BEGIN_REQ was not answered with TLM_ACCEPTED");
}

tlm::tlm_sync_enum AtInitiator::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                sc_core::sc_time& delay) {
  note(payload, phase, delay);
  if (phase == tlm::END_REQ) {
    if (&payload != requesting_) faults_.emplace_back("END_REQ for what is not being requested");
    requesting_ = nullptr;
    next_request_.notify(sc_core::SC_ZERO_TIME);
    return tlm::TLM_ACCEPTED;
  }
  if (&payload == requesting_) faults_.emplace_back("BEGIN_RESP before END_REQ");
  if (responding_ != nullptr || sc_core::sc_time_stamp() < response_channel_busy_until_)
    faults_.emplace_back("BEGIN_RESP before END_RESP of the one before");
  if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
    faults_.emplace_back("a response without a status");
  if (ends_response_ == EndsResponse::by_call) {
    responding_ = &payload;
    end_response_.notify(end_after_);
    return tlm::TLM_ACCEPTED;
  }
  delay = end_after_;
  response_channel_busy_until_ = sc_core::sc_time_stamp() + end_after_;
  finish(payload);
  if (ends_response_ == EndsResponse::by_completed) return tlm::TLM_COMPLETED;
  phase = tlm::END_RESP;
  return tlm::TLM_UPDATED;
}

void AtInitiator::end_response_by_call() {
  tlm::tlm_generic_payload& payload = *std::exchange(responding_, nullptr);
  tlm::tlm_phase phase = tlm::END_RESP;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  note(payload, phase, delay);
  socket->nb_transport_fw(payload, phase, delay);
  finish(payload);
}

void AtInitiator::finish(tlm::tlm_generic_payload& payload) {
  const unsigned char* const data = payload.get_data_ptr();
  outcomes_[payload.get_address()] = {{data, data + payload.get_data_length()},
                                      payload.get_response_status()};
  payload.release();
}

}  // namespace petal
