// SPDX-License-Identifier: Apache-2.0
#include "petal/bus/payload_pool.hpp"

namespace petal {

BurstPayload& PayloadPool::acquire() {
  if (free_.empty()) {
    tlm::tlm_mm_interface& self = *this;
    payloads_.push_back(std::make_unique<BurstPayload>(self, burst_bytes_));
    free_.push_back(payloads_.back().get());
  }
  BurstPayload& payload = *free_.back();
  free_.pop_back();
  payload.tlm::tlm_generic_payload::acquire();
  return payload;
}

// reset() drops the extensions that others have attached for the time of the transaction.
void PayloadPool::free(tlm::tlm_generic_payload* payload) {
  payload->reset();
  free_.push_back(static_cast<BurstPayload*>(payload));
}

}  // namespace petal
