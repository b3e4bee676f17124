// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "petal/observe/observer.hpp"

namespace petal {

/// Shows on standard error how much of a run's multiply-accumulates is done, from its second second on.
/// Attach it only when standard error is a terminal.
class ProgressBar : public Observer {
 public:
  /// `macs`: of the whole run, over all PEs.
  explicit ProgressBar(std::uint64_t macs);
  ~ProgressBar() override;
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void on_stage(const StageEvent& event) override;

 private:
  using Clock = std::chrono::steady_clock;

  void draw(Clock::time_point now);

  std::uint64_t macs_;
  std::uint64_t done_ = 0;
  std::uint32_t stages_ = 0;
  Clock::time_point next_draw_;
  bool drawn_ = false;
};

/// A bar of `width` characters of which `share`, 0 to 1, is filled.
std::string bar_text(double share, std::size_t width);

/// True if a progress bar would be seen.
bool standard_error_is_terminal();

}  // namespace petal
