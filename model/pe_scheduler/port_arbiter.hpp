// SPDX-License-Identifier: Apache-2.0
//
// PortArbiter: which ready stage an engine port serves next. One stage at a time; in the order of readiness,
// ties by (command, stage) number, so that no outcome depends on the order of processes (SPEC 6).
#pragma once

#include <cstdint>
#include <vector>

#include "petal/engines/stage_transaction.hpp"

namespace petal {

class PortArbiter {
 public:
  /// `outstanding` bounds the stages that have started and not ended; a port that is busy until its stage
  /// ends needs no more than one.
  explicit PortArbiter(std::uint32_t outstanding = 1) : outstanding_(outstanding) {}

  void add(StageTransaction& transaction);
  /// The stage to start now, removed from the ready ones; null if there is none or the port cannot take it.
  StageTransaction* next(Picoseconds now);
  /// The port is taken until `busy_end`; the stage is over only when `ended` is called.
  void started(Picoseconds busy_end);
  void ended() { --in_progress_; }

  /// When the port will be free for a stage that is ready but cannot start; kNever if it does not wait for
  /// that.
  Picoseconds wake_time(Picoseconds now) const;
  bool has_ready() const { return !ready_.empty(); }

 private:
  std::uint32_t outstanding_;
  std::uint32_t in_progress_ = 0;
  Picoseconds free_at_{0};
  std::vector<StageTransaction*> ready_;  // first to be served last
};

}  // namespace petal
