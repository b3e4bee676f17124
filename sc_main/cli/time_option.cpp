// SPDX-License-Identifier: Apache-2.0
#include "petal/cli/time_option.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "petal/command/error.hpp"

namespace petal {
namespace {

struct Unit {
  std::string_view name;
  double picoseconds;
};
constexpr Unit kUnits[] = {{"", 1e3}, {"ps", 1}, {"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12}};
/// Some 100 days: far from where picoseconds overflow.
constexpr double kMost = 9e18;

[[noreturn]] void refuse(const std::string& option, const std::string& text) {
  throw ConfigError(
      fmt::format("{}: '{}' is no time; give a number, not negative, and ps, ns, us, ms or s, as in 1.5us; "
                  "without a unit it is ns",
                  option, text));
}

}  // namespace

Picoseconds time_option(const std::string& option, const std::string& text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, number);
  if (problem != std::errc()) refuse(option, text);
  std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  for (const Unit& known : kUnits) {
    if (known.name != unit) continue;
    const double picoseconds = number * known.picoseconds;
    if (!(picoseconds >= 0) || picoseconds > kMost) refuse(option, text);
    return Picoseconds(round_half_up(picoseconds));
  }
  refuse(option, text);
}

}  // namespace petal
