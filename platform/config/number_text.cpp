// SPDX-License-Identifier: Apache-2.0
#include "petal/config/number_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <system_error>

namespace petal {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::size_t digits_from(std::string_view text, std::size_t start) {
  std::size_t end = start;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end - start;
}

// digits [. digits] | . digits, then an optional exponent; no sign, no leading zeros.
bool is_unsigned_decimal(std::string_view text) {
  const std::size_t whole = digits_from(text, 0);
  if (whole > 1 && text[0] == '0') return false;
  std::size_t at = whole;
  std::size_t fraction = 0;
  if (at < text.size() && text[at] == '.') {
    fraction = digits_from(text, at + 1);
    at += 1 + fraction;
  }
  if (whole + fraction == 0) return false;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    const std::size_t exponent = digits_from(text, at);
    if (exponent == 0) return false;
    at += exponent;
  }
  return at == text.size();
}

template <typename T>
std::optional<T> from_text(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Beyond 2^53 a double no longer tells neighbouring whole numbers apart.
constexpr double kLargestExactWhole = 9007199254740992.0;

std::optional<std::uint64_t> whole(double value) {
  if (value < 0.0 || value > kLargestExactWhole || std::floor(value) != value) return std::nullopt;
  return static_cast<std::uint64_t>(value);
}

}  // namespace

std::optional<double> parse_real(std::string_view text) {
  const bool signed_text = !text.empty() && (text[0] == '+' || text[0] == '-');
  const std::string_view magnitude = signed_text ? text.substr(1) : text;
  if (!is_unsigned_decimal(magnitude)) return std::nullopt;
  const std::optional<double> value = from_text<double>(magnitude);
  if (!value || !std::isfinite(*value)) return std::nullopt;
  return text[0] == '-' && *value != 0.0 ? -*value : *value;
}

std::optional<std::uint64_t> parse_unsigned(std::string_view text) {
  const std::string_view digits = !text.empty() && text[0] == '+' ? text.substr(1) : text;
  if (!is_unsigned_decimal(digits)) return std::nullopt;
  if (digits_from(digits, 0) == digits.size()) return from_text<std::uint64_t>(digits);
  const std::optional<double> value = parse_real(digits);
  return value ? whole(*value) : std::nullopt;
}

std::optional<std::uint64_t> parse_byte_size(std::string_view text) {
  struct Unit {
    std::string_view suffix;
    double bytes;
  };
  for (const Unit unit : {Unit{"KiB", 0x1p10}, Unit{"MiB", 0x1p20}, Unit{"GiB", 0x1p30}}) {
    if (text.size() <= unit.suffix.size() || text.substr(text.size() - unit.suffix.size()) != unit.suffix)
      continue;
    std::string_view number = text.substr(0, text.size() - unit.suffix.size());
    if (number.back() == ' ') number.remove_suffix(1);
    const std::optional<double> count = parse_real(number);
    return count ? whole(*count * unit.bytes) : std::nullopt;
  }
  return parse_unsigned(text);
}

}  // namespace petal
