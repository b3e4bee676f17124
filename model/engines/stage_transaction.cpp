// SPDX-License-Identifier: Apache-2.0
#include "petal/engines/stage_transaction.hpp"

namespace petal {

void StagePool::grow() {
  transactions_.push_back(std::make_unique<StageTransaction>(*this, receiver_, transactions_.size()));
  free(transactions_.back().get());
}

void StagePool::reclaim() {
  for (const auto& transaction : transactions_)
    while (transaction->get_ref_count() > 0) transaction->release();
}

void StagePool::free(tlm::tlm_generic_payload* payload) {
  auto* const transaction = static_cast<StageTransaction*>(payload);
  transaction->next = free_;
  free_ = transaction;
}

}  // namespace petal
