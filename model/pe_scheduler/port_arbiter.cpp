// SPDX-License-Identifier: Apache-2.0
#include "petal/pe_scheduler/port_arbiter.hpp"

namespace petal {
namespace {

bool goes_before(const StageTransaction& a, const StageTransaction& b) {
  if (a.ready != b.ready) return a.ready < b.ready;
  const Stage& left = a.extension.stage;
  const Stage& right = b.extension.stage;
  if (left.command != right.command) return left.command < right.command;
  return left.number < right.number;
}

}  // namespace

void PortArbiter::append(StageTransaction& transaction) {
  transaction.next = nullptr;
  (first_ == nullptr ? first_ : last_->next) = &transaction;
  last_ = &transaction;
}

void PortArbiter::add(StageTransaction& transaction) {
  if (first_ != nullptr) return insert(transaction);
  append(transaction);
}

// Most stages become ready after all that are.
void PortArbiter::insert(StageTransaction& transaction) {
  StageTransaction** place = goes_before(*last_, transaction) ? &last_->next : &first_;
  while (*place != nullptr && goes_before(**place, transaction)) place = &(*place)->next;
  transaction.next = *place;
  *place = &transaction;
  if (transaction.next == nullptr) last_ = &transaction;
}

}  // namespace petal
