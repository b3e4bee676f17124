// SPDX-License-Identifier: Apache-2.0
//
// SweepTable: a row for each point of a sweep, in the order of the grid. It is what the CSV file holds and
// what pictures are drawn from.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "petal/sweep/point_result.hpp"
#include "petal/sweep/sweep_grid.hpp"

namespace petal {

/// The cells of a row, a text a column.
using TableRow = std::vector<std::string>;

class SweepTable {
 public:
  /// A table without rows. `columns` are further keys whose values it shows. Throws ConfigError for one that
  /// is no key, or stands in the table already.
  SweepTable(const SweepGrid& grid, const std::vector<std::string>& columns);

  /// The row of point `index`. A point that failed has no numbers; one that is not there has no row.
  void add(std::size_t index, const PointResult& result);

  const std::vector<std::string>& header() const { return header_; }
  const std::vector<TableRow>& rows() const { return rows_; }
  bool has_column(const std::string& name) const { return index_of_.count(name) != 0; }
  /// The text in a column of a row. Precondition: has_column(name).
  const std::string& text(const TableRow& row, const std::string& name) const {
    return row[index_of_.at(name)];
  }
  /// What the numbers of a column are counted in; empty if nothing is known.
  std::string unit_of(const std::string& name) const;

  /// The header and the rows, RFC 4180 with line feeds.
  std::string csv() const;

 private:
  void add_column(const std::string& name, const std::string& unit);

  SweepGrid grid_;
  bool shows_kernel_;  // in a column of its own: it is no axis
  std::vector<std::string> config_paths_;
  std::vector<std::string> header_;
  std::map<std::string, std::size_t> index_of_;
  std::map<std::string, std::string> units_;
  std::vector<TableRow> rows_;
};

/// The number that a cell holds; nothing for other text.
std::optional<double> number_in(const std::string& cell);

}  // namespace petal
