// SPDX-License-Identifier: Apache-2.0
#include "petal/check/field_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace petal::check {
namespace {

std::optional<std::uint64_t> unsigned_number(std::string_view field, int base) {
  std::uint64_t value = 0;
  const char* const end = field.data() + field.size();
  const auto [stop, error] = std::from_chars(field.data(), end, value, base);
  if (error != std::errc() || stop != end || field.empty()) return std::nullopt;
  return value;
}

std::optional<LogRange> range_of(std::string_view text) {
  const std::string_view space = text.substr(0, 4);
  if (space != "hbm:" && space != "tcm:") return std::nullopt;
  text.remove_prefix(4);
  if (text.substr(0, 2) != "0x") return std::nullopt;
  text.remove_prefix(2);
  const std::size_t plus = text.find('+');
  if (plus == std::string_view::npos) return std::nullopt;
  const auto begin = unsigned_number(text.substr(0, plus), 16);
  const auto length = unsigned_number(text.substr(plus + 1), 10);
  if (!begin || !length || *length == 0 || *begin + *length < *begin) return std::nullopt;
  return LogRange{space == "tcm:", *begin, *begin + *length};
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  for (;;) {
    const std::size_t at = text.find(separator);
    pieces.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return pieces;
    text.remove_prefix(at + 1);
  }
}

std::optional<std::uint64_t> whole_number(std::string_view field) {
  return unsigned_number(field, 10);
}

std::optional<Time> time_of(std::string_view field) {
  constexpr std::uint64_t kLatest = std::uint64_t{1} << 61U;
  const auto value = whole_number(field);
  if (!value || *value > kLatest) return std::nullopt;
  return static_cast<Time>(*value);
}

std::optional<double> real_number(std::string_view field) {
  double value = 0;
  const char* const end = field.data() + field.size();
  const auto [stop, error] = std::from_chars(field.data(), end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value) || value < 0) return std::nullopt;
  return value;
}

std::optional<std::vector<LogRange>> ranges_of(std::string_view field) {
  std::vector<LogRange> ranges;
  if (field.empty()) return ranges;
  for (const std::string_view piece : split(field, ';')) {
    const auto range = range_of(piece);
    if (!range) return std::nullopt;
    ranges.push_back(*range);
  }
  return ranges;
}

std::optional<std::vector<std::uint64_t>> ids_of(std::string_view field) {
  std::vector<std::uint64_t> ids;
  if (field.empty()) return ids;
  for (const std::string_view piece : split(field, ';')) {
    const auto id = whole_number(piece);
    if (!id) return std::nullopt;
    ids.push_back(*id);
  }
  return ids;
}

bool is_name(std::string_view field) {
  return !field.empty() && std::all_of(field.begin(), field.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

}  // namespace petal::check
