// SPDX-License-Identifier: Apache-2.0
#include "petal/sweep/sweep_table.hpp"

#include <fmt/format.h>

#include "petal/command/error.hpp"
#include "petal/config/number_text.hpp"
#include "petal/config/scenario_source.hpp"
#include "petal/config/schema.hpp"
#include "petal/sweep/point_columns.hpp"

namespace petal {

namespace {

std::string unit_of_key(const std::string& path) {
  for (const SchemaEntry& entry : schema_entries())
    if (entry.path == path) return entry.unit;
  return "";
}

std::string quoted(const std::string& cell) {
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string text = "\"";
  for (const char c : cell) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

std::string line_of(const std::vector<std::string>& cells) {
  std::string line = quoted(cells.front());
  for (std::size_t i = 1; i < cells.size(); ++i) line += "," + quoted(cells[i]);
  return line + "\n";
}

}  // namespace

SweepTable::SweepTable(const SweepGrid& grid, const std::vector<std::string>& columns)
    : grid_(grid), shows_kernel_(grid.axis_named(kKernelAxis) == nullptr) {
  add_column("point", "");
  for (const SweepAxis& axis : grid.axes()) add_column(axis.name, unit_of_key(axis.path));
  if (shows_kernel_) add_column(kKernelAxis, "");
  for (const std::string& key : columns) {
    config_paths_.push_back(full_key_path(key));
    add_column(key, unit_of_key(config_paths_.back()));
  }
  add_column("status", "");
  for (const PointColumn& column : point_columns()) add_column(column.name, column.unit);
  add_column("message", "");
}

void SweepTable::add_column(const std::string& name, const std::string& unit) {
  if (!index_of_.emplace(name, header_.size()).second)
    throw ConfigError(fmt::format("{}: the sweep's table has this column already; leave it out", name));
  header_.push_back(name);
  units_[name] = unit;
}

void SweepTable::add(std::size_t index, const PointResult& result) {
  if (!result.is_there()) return;
  const SweepPoint point = grid_.point(index);
  static const nlohmann::json nothing = nlohmann::json::object();
  const nlohmann::json& summary = result.summary ? *result.summary : nothing;
  std::vector<std::string> row{std::to_string(index)};
  row.insert(row.end(), point.values.begin(), point.values.end());
  if (shows_kernel_) row.push_back(summary.value("kernel", point.kernel.value_or("")));
  for (const std::string& path : config_paths_) row.push_back(config_column("", path).text(summary));
  row.emplace_back(result.summary ? "ok" : "failed");
  for (const PointColumn& column : point_columns()) row.push_back(column.text(summary));
  row.push_back(result.summary ? "" : result.failure->message);
  rows_.push_back(std::move(row));
}

std::string SweepTable::unit_of(const std::string& name) const {
  const auto unit = units_.find(name);
  return unit == units_.end() ? "" : unit->second;
}

std::string SweepTable::csv() const {
  std::string text = line_of(header_);
  for (const auto& row : rows_) text += line_of(row);
  return text;
}

std::optional<double> number_in(const std::string& cell) {
  return parse_real(cell);
}

}  // namespace petal
