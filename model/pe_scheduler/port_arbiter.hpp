// SPDX-License-Identifier: Apache-2.0
//
// PortArbiter: which ready stage an engine port serves next. One stage at a time; in the order of readiness,
// ties by (command, stage) number, so that no outcome depends on the order of processes (SPEC 6).
#pragma once

#include <cstdint>

#include "petal/engines/stage_transaction.hpp"

namespace petal {

class PortArbiter {
 public:
  /// `outstanding` bounds the stages that have started and not ended; a port that is busy until its stage
  /// ends needs no more than one.
  explicit PortArbiter(std::uint32_t outstanding = 1) : outstanding_(outstanding) {}

  void add(StageTransaction& transaction);
  /// The stage to start now, removed from the ready ones; null if there is none or the port cannot take it.
  StageTransaction* next(Picoseconds now) {
    if (first_ == nullptr || free_at_ > now || in_progress_ >= outstanding_) return nullptr;
    StageTransaction* const transaction = first_;
    first_ = transaction->next;
    return transaction;
  }
  /// The port is taken until `busy_end`; the stage is over only when `ended` is called.
  void started(Picoseconds busy_end) {
    free_at_ = busy_end;
    ++in_progress_;
  }
  void ended() { --in_progress_; }
  /// The port is taken until `freed` is called: when that is depends on somebody else.
  void started_open() {
    free_at_ = kNever;
    ++in_progress_;
  }
  void freed(Picoseconds at) { free_at_ = at; }

  /// Calls function(transaction) for each ready stage of the command in flight `run`, which are ready no
  /// more.
  template <typename Function>
  void remove_ready(std::uint32_t run, Function function) {
    StageTransaction* left = first_;
    first_ = last_ = nullptr;
    while (left != nullptr) {
      StageTransaction& transaction = *left;
      left = left->next;
      if (transaction.stage().run == run)
        function(transaction);
      else
        append(transaction);
    }
  }
  /// Free, with nothing ready or in progress.
  void clear() {
    first_ = last_ = nullptr;
    in_progress_ = 0;
    free_at_ = Picoseconds(0);
  }

  /// When the port will be free for a stage that is ready but cannot start; kNever if it does not wait for
  /// that.
  Picoseconds wake_time(Picoseconds now) const {
    return first_ != nullptr && free_at_ > now && in_progress_ < outstanding_ ? free_at_ : kNever;
  }
  /// Since when, or until when, it is free.
  Picoseconds free_at() const { return free_at_; }
  bool has_ready() const { return first_ != nullptr; }

 private:
  void append(StageTransaction& transaction);
  void insert(StageTransaction& transaction);

  std::uint32_t outstanding_;
  std::uint32_t in_progress_ = 0;
  Picoseconds free_at_{0};
  // The ready stages, linked in the order of service.
  StageTransaction* first_ = nullptr;
  StageTransaction* last_ = nullptr;  // unless there are none
};

}  // namespace petal
