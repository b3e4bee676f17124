// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "petal/sweep/sweep_table.hpp"

namespace petal {

/// The rows of a table that agree in some columns.
struct TableSeries {
  std::vector<std::string> values;  ///< in those columns
  std::vector<const TableRow*> rows;
};

/// All series of `columns`, series and rows in the order of the table. They point into `table`.
std::vector<TableSeries> series_in(const SweepTable& table, const std::vector<std::string>& columns);

}  // namespace petal
