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
  std::size_t place = ready_.size();
  ready_.push_back(&transaction);
  for (; place > 0 && goes_before(*ready_[place - 1], transaction); --place)
    ready_[place] = ready_[place - 1];
  ready_[place] = &transaction;
}

StageTransaction* PortArbiter::next(Picoseconds now) {
  if (ready_.empty() || free_at_ > now || in_progress_ >= outstanding_) return nullptr;
  StageTransaction* const transaction = ready_.back();
  ready_.pop_back();
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
