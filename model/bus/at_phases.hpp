// SPDX-License-Identifier: Apache-2.0
//
// The four phases of the base protocol as an initiator sees them (IEEE 1666 15.2).
#pragma once

#include <systemc>
#include <tlm>

#include "petal/bus/burst_payload.hpp"

namespace petal {

/// What a return value or a backward call says about a burst.
enum class AtNews : std::uint8_t {
  none,
  taken,     ///< END_REQ
  response,  ///< BEGIN_RESP; END_RESP is still to come
  completed  ///< the transaction is over
};

/// Sends BEGIN_REQ. What the memory says of it holds when `delay` has passed.
AtNews begin_request(tlm::tlm_fw_transport_if<>& memory, BurstPayload& payload, sc_core::sc_time& delay);
/// Sends END_RESP.
void end_response(tlm::tlm_fw_transport_if<>& memory, BurstPayload& payload);
/// What a phase that came from the memory says. Phases that the base protocol does not know say nothing.
AtNews news_of(const tlm::tlm_phase& phase);

}  // namespace petal
