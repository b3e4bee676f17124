// SPDX-License-Identifier: Apache-2.0
#include "petal/sweep/value_list.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "petal/command/error.hpp"
#include "petal/config/number_text.hpp"

namespace petal {

namespace {

constexpr double kMostValues = 1e6;
// A last value that rounding puts beyond the end still belongs to the range.
constexpr double kRounding = 1e-9;

/// Where a text is: within brackets or quotes a comma separates nothing.
class Nesting {
 public:
  void take(char c) {
    if (quote_ != '\0') {
      if (c == quote_) quote_ = '\0';
    } else if (c == '"' || c == '\'') {
      quote_ = c;
    } else if (c == '[' || c == '{') {
      ++depth_;
    } else if (c == ']' || c == '}') {
      --depth_;
    }
  }
  bool is_outside() const { return depth_ == 0 && quote_ == '\0'; }

 private:
  int depth_ = 0;
  char quote_ = '\0';
};

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::vector<std::string> pieces_of(const std::string& what, const std::string& text) {
  std::vector<std::string> pieces(1);
  Nesting nesting;
  for (const char c : text) {
    if (c == ',' && nesting.is_outside()) {
      pieces.emplace_back();
      continue;
    }
    nesting.take(c);
    pieces.back() += c;
  }
  if (!nesting.is_outside())
    throw ConfigError(fmt::format("{}: '{}': a bracket or a quote is not closed", what, text));
  for (std::string& piece : pieces) {
    piece = trimmed(piece);
    if (piece.empty())
      throw ConfigError(fmt::format("{}: '{}': a value is empty; write key=v1,v2,..", what, text));
  }
  return pieces;
}

struct Range {
  double from;
  double to;
  double step;
  bool is_factor;
};

/// The parts of "from:to:step"; nothing if the text is no range.
std::optional<Range> range_of(const std::string& text) {
  const std::size_t first = text.find(':');
  const std::size_t second = first == std::string::npos ? first : text.find(':', first + 1);
  if (second == std::string::npos) return std::nullopt;
  std::string step = text.substr(second + 1);
  const bool is_factor = !step.empty() && step.front() == '*';
  if (is_factor) step.erase(0, 1);
  const auto from = parse_real(text.substr(0, first));
  const auto to = parse_real(text.substr(first + 1, second - first - 1));
  const auto by = parse_real(step);
  if (!from || !to || !by) return std::nullopt;
  return Range{*from, *to, *by, is_factor};
}

/// How many steps lead from the start to the end; not a number of steps if none do.
double steps_in(const Range& range) {
  if (!range.is_factor) return (range.to - range.from) / range.step;
  if (range.from * range.to <= 0 || range.step <= 0 || range.step == 1) return -1;
  return std::log(range.to / range.from) / std::log(range.step);
}

std::vector<std::string> values_of(const std::string& what, const std::string& text, const Range& range) {
  const double steps = std::floor(steps_in(range) + kRounding);
  if (!(steps >= 0) || std::isinf(steps))
    throw ConfigError(fmt::format(
        "{}: range '{}': its steps do not lead from {} to {}; write from:to:step or from:to:*factor", what,
        text, range.from, range.to));
  if (steps >= kMostValues)
    throw ConfigError(fmt::format("{}: range '{}': has more than {} values", what, text, kMostValues));
  std::vector<std::string> values;
  for (double i = 0; i <= steps; ++i) {
    const double value = range.is_factor ? range.from * std::pow(range.step, i) : range.from + range.step * i;
    values.push_back(fmt::format("{:.12g}", value));
  }
  return values;
}

}  // namespace

std::vector<std::string> listed_values(const std::string& what, const std::string& text) {
  std::vector<std::string> values;
  for (const std::string& piece : pieces_of(what, text)) {
    if (const std::optional<Range> range = range_of(piece))
      for (std::string& value : values_of(what, piece, *range)) values.push_back(std::move(value));
    else
      values.push_back(piece);
  }
  return values;
}

}  // namespace petal
