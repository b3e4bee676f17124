// SPDX-License-Identifier: Apache-2.0
#include "petal/bus/at_phases.hpp"

namespace petal {

AtNews begin_request(tlm::tlm_fw_transport_if<>& memory, BurstPayload& payload, sc_core::sc_time& delay) {
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  delay = sc_core::SC_ZERO_TIME;
  switch (memory.nb_transport_fw(payload, phase, delay)) {
    case tlm::TLM_COMPLETED:
      return AtNews::completed;
    case tlm::TLM_UPDATED:
      return news_of(phase);
    case tlm::TLM_ACCEPTED:
      break;
  }
  return AtNews::none;
}

void end_response(tlm::tlm_fw_transport_if<>& memory, BurstPayload& payload) {
  tlm::tlm_phase phase = tlm::END_RESP;
  sc_core::sc_time delay;
  memory.nb_transport_fw(payload, phase, delay);
}

AtNews news_of(const tlm::tlm_phase& phase) {
  if (phase == tlm::END_REQ) return AtNews::taken;
  if (phase == tlm::BEGIN_RESP) return AtNews::response;
  return AtNews::none;
}

}  // namespace petal
