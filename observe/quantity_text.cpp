// SPDX-License-Identifier: Apache-2.0
#include "petal/observe/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace petal {
namespace {

/// Puts a comma before each group of three of the digits that end at `end`.
void group_digits(std::string& text, std::size_t end) {
  const std::size_t begin = !text.empty() && text[0] == '-' ? 1 : 0;
  while (end > begin + 3) {
    end -= 3;
    text.insert(end, 1, ',');
  }
}

}  // namespace

std::string grouped(std::uint64_t value) {
  std::string text = fmt::to_string(value);
  group_digits(text, text.size());
  return text;
}

std::string grouped(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  group_digits(text, std::min(text.find('.'), text.size()));
  return text;
}

std::string time_text(Picoseconds time) {
  constexpr const char* kUnits[] = {"ns", "us", "ms"};
  const std::int64_t magnitude = time.count() < 0 ? -time.count() : time.count();
  if (magnitude < 1000) return fmt::format("{} ps", time.count());
  double scale = 1e3;
  for (const char* const unit : kUnits) {
    if (static_cast<double>(magnitude) < scale * 1e3)
      return fmt::format("{:.3f} {}", static_cast<double>(time.count()) / scale, unit);
    scale *= 1e3;
  }
  return grouped(static_cast<double>(time.count()) / scale, 3) + " s";
}

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100.0 * share);
}

}  // namespace petal
