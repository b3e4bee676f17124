// SPDX-License-Identifier: Apache-2.0
#include "petal/engines/stage_transaction.hpp"

namespace petal {

StageTransaction& StagePool::acquire() {
  if (free_.empty()) {
    transactions_.push_back(std::make_unique<StageTransaction>(*this, transactions_.size()));
    free_.reserve(transactions_.size());
    free_.push_back(transactions_.back().get());
  }
  StageTransaction& transaction = *free_.back();
  free_.pop_back();
  transaction.acquire();
  transaction.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  return transaction;
}

void StagePool::free(tlm::tlm_generic_payload* payload) {
  free_.push_back(static_cast<StageTransaction*>(payload));
}

}  // namespace petal
