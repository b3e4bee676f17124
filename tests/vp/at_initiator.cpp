// SPDX-License-Identifier: Apache-2.0
#include "vp/at_initiator.hpp"

#include <algorithm>

namespace petal::vp::test {

AtInitiator::AtInitiator(const sc_core::sc_module_name& name) : sc_module(name) {
  socket.register_nb_transport_bw(this, &AtInitiator::nb_transport_bw);
  socket.register_invalidate_direct_mem_ptr(this, &AtInitiator::invalidate_direct_mem_ptr);
  sc_core::sc_spawn_options on_next;
  on_next.spawn_method();
  on_next.set_sensitivity(&next_);
  sc_core::sc_spawn([this] { send_next(); }, "send_next", &on_next);
  sc_core::sc_spawn_options on_release;
  on_release.spawn_method();
  on_release.dont_initialize();
  on_release.set_sensitivity(&release_);
  sc_core::sc_spawn([this] { end_response(); }, "end_response", &on_release);
}

void AtInitiator::send(tlm::tlm_command command, std::uint64_t address, unsigned char* data,
                       unsigned int bytes) {
  auto* const payload = new tlm::tlm_generic_payload(this);
  payload->acquire();
  ++in_use_;
  payload->set_command(command);
  payload->set_address(address);
  payload->set_data_ptr(data);
  payload->set_data_length(bytes);
  payload->set_streaming_width(bytes);
  payload->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  waiting_.push_back(payload);
  next_.notify(sc_core::SC_ZERO_TIME);
}

void AtInitiator::invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) {
  invalidations.emplace_back(first, last);
}

void AtInitiator::free(tlm::tlm_generic_payload* payload) {
  --in_use_;
  payload->reset();
  delete payload;
}

void AtInitiator::send_next() {
  if (on_socket_ != nullptr || waiting_.empty()) return;
  on_socket_ = waiting_.front();
  waiting_.pop_front();
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  if (socket->nb_transport_fw(*on_socket_, phase, delay) != tlm::TLM_COMPLETED) return;
  ended_.emplace_back(on_socket_, sc_core::sc_time_stamp());
  finish(*std::exchange(on_socket_, nullptr));
  next_.notify(sc_core::SC_ZERO_TIME);
}

tlm::tlm_sync_enum AtInitiator::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                sc_core::sc_time& delay) {
  if (&payload == on_socket_) {
    ended_.emplace_back(&payload, sc_core::sc_time_stamp() + delay);
    on_socket_ = nullptr;
    next_.notify(delay);
  }
  if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
  if (held_ != nullptr) SC_REPORT_ERROR("at_initiator", "a second response before the first one has ended");
  if (end_response_after == sc_core::SC_ZERO_TIME) {
    finish(payload);
    return tlm::TLM_COMPLETED;
  }
  held_ = &payload;
  release_.notify(end_response_after);
  return tlm::TLM_ACCEPTED;
}

void AtInitiator::end_response() {
  tlm::tlm_phase phase = tlm::END_RESP;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  tlm::tlm_generic_payload* const payload = std::exchange(held_, nullptr);
  payload->acquire();
  socket->nb_transport_fw(*payload, phase, delay);
  finish(*payload);
  payload->release();
}

void AtInitiator::finish(tlm::tlm_generic_payload& payload) {
  const auto ended =
      std::find_if(ended_.begin(), ended_.end(), [&](const auto& entry) { return entry.first == &payload; });
  results.push_back(
      {payload.get_address(), payload.get_response_status(), ended->second, sc_core::sc_time_stamp()});
  ended_.erase(ended);
  payload.release();
}

}  // namespace petal::vp::test
