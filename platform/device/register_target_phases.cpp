// SPDX-License-Identifier: Apache-2.0
//
// The approximately timed half of RegisterTarget. A request is taken when it begins: the access is done,
// END_REQ given, and the response is due once the access has taken its time. Responses begin one at a time.
#include <utility>

#include "petal/device/register_target.hpp"

namespace petal {
namespace {

constexpr const char* kReportType = "/petal/register_target";

}  // namespace

tlm::tlm_sync_enum RegisterTarget::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                   sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_REQ) {
    if (payload.has_mm()) payload.acquire();
    queue_.notify(payload, phase, delay);
    return tlm::TLM_ACCEPTED;
  }
  if (phase == tlm::END_RESP) {
    if (&payload == responding_ && !response_ended_)
      end_response(payload, delay);
    else
      SC_REPORT_ERROR(kReportType, "END_RESP for a transaction whose response has not begun");
    return tlm::TLM_COMPLETED;
  }
  if (phase == tlm::END_REQ || phase == tlm::BEGIN_RESP)
    SC_REPORT_ERROR(kReportType, "END_REQ and BEGIN_RESP are the target's to send");
  return tlm::TLM_ACCEPTED;  // other phases may be ignored, and are
}

void RegisterTarget::on_phase(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase) {
  if (phase == tlm::BEGIN_REQ) return begin_request(payload);
  if (phase == tlm::END_RESP) return release_response_channel();
  answered_.push_back(&payload);
  begin_next_response();
}

void RegisterTarget::begin_request(tlm::tlm_generic_payload& payload) {
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  queue_.notify(payload, tlm::BEGIN_RESP, access(payload, delay));
  tlm::tlm_phase phase = tlm::END_REQ;
  socket->nb_transport_bw(payload, phase, delay);
}

void RegisterTarget::begin_next_response() {
  if (responding_ != nullptr || answered_.empty()) return;
  responding_ = answered_.front();
  answered_.pop_front();
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const tlm::tlm_sync_enum answer = socket->nb_transport_bw(*responding_, phase, delay);
  const bool ended = answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP);
  if (ended && !response_ended_) end_response(*responding_, delay);
}

void RegisterTarget::end_response(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  response_ended_ = true;
  queue_.notify(payload, tlm::END_RESP, delay);
}

void RegisterTarget::release_response_channel() {
  tlm::tlm_generic_payload* const payload = std::exchange(responding_, nullptr);
  response_ended_ = false;
  if (payload->has_mm()) payload->release();
  begin_next_response();
}

}  // namespace petal
