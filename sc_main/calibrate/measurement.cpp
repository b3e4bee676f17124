// SPDX-License-Identifier: Apache-2.0
#include "petal/calibrate/measurement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "petal/command/error.hpp"
#include "petal/config/config_diagnostics.hpp"
#include "petal/config/number_text.hpp"

namespace petal {

namespace {

using Cells = std::vector<std::string>;

constexpr const char* kBytesColumn = "logical_bytes";
constexpr const char* kTimeColumn = "ns";
constexpr const char* kByteOrderMark = "\xEF\xBB\xBF";

std::string trimmed(const std::string& text) {
  constexpr const char* kSpace = " \t\r";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

Cells cells_of(const std::string& line) {
  Cells cells;
  std::size_t start = 0;
  for (std::size_t comma = line.find(','); comma != std::string::npos; comma = line.find(',', start)) {
    cells.push_back(trimmed(line.substr(start, comma - start)));
    start = comma + 1;
  }
  cells.push_back(trimmed(line.substr(start)));
  return cells;
}

/// Which cells of a line are meant.
struct Columns {
  std::size_t bytes = 0;
  std::size_t ns = 1;
  std::size_t count = 2;
};

/// The columns that a header names; nothing if one of the two is not there, or twice.
std::optional<Columns> columns_of(const Cells& header) {
  const auto once = [&](const char* name) -> std::optional<std::size_t> {
    const auto found = std::find(header.begin(), header.end(), name);
    if (std::count(header.begin(), header.end(), name) != 1) return std::nullopt;
    return static_cast<std::size_t>(found - header.begin());
  };
  const auto bytes = once(kBytesColumn);
  const auto ns = once(kTimeColumn);
  if (!bytes || !ns) return std::nullopt;
  return Columns{*bytes, *ns, header.size()};
}

/// A line none of whose cells is a number.
bool is_header(const Cells& cells) {
  return std::none_of(cells.begin(), cells.end(), [](const std::string& cell) {
    return cell.empty() || parse_real(cell).has_value() || cell.find_first_of("0123456789") == 0;
  });
}

class MeasurementReader {
 public:
  explicit MeasurementReader(std::string name) : name_(std::move(name)) {}

  std::vector<Measurement> read(std::istream& in) {
    for (std::string line; std::getline(in, line);) {
      if (++line_ == 1 && line.rfind(kByteOrderMark, 0) == 0)
        line.erase(0, std::string(kByteOrderMark).size());
      line = trimmed(line);
      if (!line.empty() && line.front() != '#') take(cells_of(line));
    }
    diagnostics_.raise_if_any();
    if (measurements_.empty())
      throw ConfigError(
          fmt::format("{}: holds no pair; a line is {},{} as in 54,43.4", name_, kBytesColumn, kTimeColumn));
    return std::move(measurements_);
  }

 private:
  void take(const Cells& cells) {
    const bool is_first = !std::exchange(begun_, true);
    if (is_first && is_header(cells))
      take_header(cells);
    else if (cells.size() != columns_.count)
      report(fmt::format("has {} columns, not {}", cells.size(), columns_.count));
    else
      take_pair(cells[columns_.bytes], cells[columns_.ns]);
  }

  void take_header(const Cells& cells) {
    const auto columns = columns_of(cells);
    if (!columns)
      throw ConfigError(
          fmt::format("{}:{}: the header must name the columns {} and {}, each once; or leave it out", name_,
                      line_, kBytesColumn, kTimeColumn));
    columns_ = *columns;
  }

  void take_pair(const std::string& bytes_text, const std::string& ns_text) {
    const auto bytes = parse_unsigned(bytes_text);
    const auto ns = parse_real(ns_text);
    if (!bytes)
      report(fmt::format("{}: value '{}': must be a whole number, 0 or more", kBytesColumn, bytes_text));
    if (!ns || *ns < 0)
      report(fmt::format("{}: value '{}': must be a finite number, 0 or more", kTimeColumn, ns_text));
    if (bytes && ns) measurements_.push_back({*bytes, *ns, line_});
  }

  void report(const std::string& what) { diagnostics_.add({name_, line_}, "", "", what); }

  std::string name_;
  int line_ = 0;
  bool begun_ = false;
  Columns columns_;
  std::vector<Measurement> measurements_;
  ConfigDiagnostics diagnostics_;
};

}  // namespace

std::vector<Measurement> read_measurements(std::istream& in, const std::string& name) {
  return MeasurementReader(name).read(in);
}

}  // namespace petal
