// SPDX-License-Identifier: Apache-2.0
//
// PointProgress: tells people how far a sweep is. On a terminal it draws a bar with the time left; in a pipe
// it says nothing but which points failed.
#pragma once

#include <chrono>
#include <cstddef>
#include <set>

#include "petal/sweep/point_runner.hpp"

namespace petal {

class PointProgress : public PointListener {
 public:
  /// `due` points will be run. `shows_bar`: standard error is a terminal that wants one.
  PointProgress(const SweepGrid& grid, std::size_t due, bool shows_bar);
  ~PointProgress() override;
  PointProgress(const PointProgress&) = delete;
  PointProgress& operator=(const PointProgress&) = delete;

  void on_point(std::size_t index, const PointResult& result) override;
  void on_tick() override;

  /// The points whose failure was told.
  const std::set<std::size_t>& told() const { return told_; }

 private:
  using Clock = std::chrono::steady_clock;

  void draw(Clock::time_point now);
  void erase();

  const SweepGrid& grid_;
  std::size_t due_;
  bool shows_bar_;
  std::size_t done_ = 0;
  std::set<std::size_t> told_;
  Clock::time_point start_;
  Clock::time_point next_draw_;
  bool drawn_ = false;
};

/// Tells on standard error that a point failed, and why.
void tell_failure(const SweepGrid& grid, std::size_t index, const PointFailure& failure);

}  // namespace petal
