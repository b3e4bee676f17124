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

void PortArbiter::add(StageTransaction& transaction) {
  auto place = ready_.end();
  while (place != ready_.begin() && goes_before(transaction, **(place - 1))) --place;
  if (place == ready_.end())
    ready_.push_back(&transaction);
  else
    ready_.insert(place, &transaction);
}

StageTransaction* PortArbiter::next(Picoseconds now) {
  if (ready_.empty() || free_at_ > now || in_progress_ >= outstanding_) return nullptr;
  StageTransaction* const transaction = ready_.front();
  ready_.pop_front();
  return transaction;
}

void PortArbiter::started(Picoseconds busy_end) {
  free_at_ = busy_end;
  ++in_progress_;
}

Picoseconds PortArbiter::wake_time(Picoseconds now) const {
  return !ready_.empty() && free_at_ > now && in_progress_ < outstanding_ ? free_at_ : kNever;
}

}  // namespace petal
