// SPDX-License-Identifier: Apache-2.0
#include "petal/cli/point_progress.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "petal/cli/progress_bar.hpp"
#include "petal/sweep/sweep_results.hpp"
#include "petal/sweep/time_left.hpp"

namespace petal {
namespace {

constexpr std::chrono::milliseconds kFirst{500};
constexpr std::chrono::milliseconds kInterval{200};
constexpr std::size_t kWidth = 24;

}  // namespace

PointProgress::PointProgress(const SweepGrid& grid, std::size_t due, bool shows_bar)
    : grid_(grid), due_(due), shows_bar_(shows_bar), start_(Clock::now()), next_draw_(start_ + kFirst) {}

PointProgress::~PointProgress() {
  erase();
}

void PointProgress::on_point(std::size_t index, const PointResult& result) {
  ++done_;
  if (!result.failure) return;
  erase();
  told_.insert(index);
  tell_failure(grid_, index, *result.failure);
}

void PointProgress::on_tick() {
  const Clock::time_point now = Clock::now();
  if (shows_bar_ && now >= next_draw_) draw(now);
}

void PointProgress::draw(Clock::time_point now) {
  const double share = due_ == 0 ? 1.0 : static_cast<double>(done_) / static_cast<double>(due_);
  const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(now - start_);
  const std::string failed = told_.empty() ? "" : fmt::format(", {} failed", told_.size());
  const std::string left = time_left_text(elapsed, done_, due_ - done_);
  fmt::print(stderr, "\r[{}] {:3.0f} %  {} of {} points{}{}{}\x1b[K", bar_text(share, kWidth), share * 100,
             done_, due_, failed, left.empty() ? "" : ", ", left);
  std::fflush(stderr);
  drawn_ = true;
  next_draw_ = now + kInterval;
}

void PointProgress::erase() {
  if (drawn_) fmt::print(stderr, "\r\x1b[K");
  drawn_ = false;
}

void tell_failure(const SweepGrid& grid, std::size_t index, const PointFailure& failure) {
  fmt::print(stderr, "petal: {}: {}\n", point_text(grid, index), failure.message);
}

}  // namespace petal
