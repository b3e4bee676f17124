// SPDX-License-Identifier: Apache-2.0
#include "petal/sweep/time_left.hpp"

#include <fmt/format.h>

#include <cmath>

namespace petal {

std::string time_left_text(std::chrono::milliseconds elapsed, std::size_t done, std::size_t left) {
  if (done == 0) return "";
  const double seconds = std::ceil(static_cast<double>(elapsed.count()) / 1000 * static_cast<double>(left) /
                                   static_cast<double>(done));
  constexpr double kMinute = 60;
  constexpr double kHour = 3600;
  if (seconds >= kHour)
    return fmt::format("{:.0f} h {:.0f} min left", std::floor(seconds / kHour),
                       std::floor(std::fmod(seconds, kHour) / kMinute));
  if (seconds >= kMinute)
    return fmt::format("{:.0f} min {:.0f} s left", std::floor(seconds / kMinute),
                       std::fmod(seconds, kMinute));
  return fmt::format("{:.0f} s left", seconds);
}

}  // namespace petal
