// SPDX-License-Identifier: Apache-2.0
#include "petal/cli/progress_bar.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace petal {
namespace {

constexpr std::chrono::milliseconds kFirst{1000};
constexpr std::chrono::milliseconds kInterval{200};
constexpr std::uint32_t kStagesBetweenLooksAtTheClock = 4096;
constexpr std::size_t kWidth = 40;

}  // namespace

ProgressBar::ProgressBar(std::uint64_t macs) : macs_(macs), next_draw_(Clock::now() + kFirst) {}

ProgressBar::~ProgressBar() {
  if (drawn_) fmt::print(stderr, "\r\x1b[K");
}

void ProgressBar::on_stage(const StageEvent& event) {
  done_ += event.macs;
  if (++stages_ % kStagesBetweenLooksAtTheClock != 0 || macs_ == 0) return;
  const Clock::time_point now = Clock::now();
  if (now >= next_draw_) draw(now);
}

void ProgressBar::draw(Clock::time_point now) {
  const double share = std::min(1.0, static_cast<double>(done_) / static_cast<double>(macs_));
  fmt::print(stderr, "\r[{}] {:3.0f} %", bar_text(share, kWidth), share * 100);
  std::fflush(stderr);
  drawn_ = true;
  next_draw_ = now + kInterval;
}

std::string bar_text(double share, std::size_t width) {
  const auto filled = std::min(width, static_cast<std::size_t>(share * static_cast<double>(width)));
  return std::string(filled, '#') + std::string(width - filled, '.');
}

bool standard_error_is_terminal() {
  return isatty(STDERR_FILENO) != 0;
}

}  // namespace petal
