// SPDX-License-Identifier: Apache-2.0
#include "petal/sweep/table_series.hpp"

#include <map>

namespace petal {

std::vector<TableSeries> series_in(const SweepTable& table, const std::vector<std::string>& columns) {
  std::vector<TableSeries> all;
  std::map<std::vector<std::string>, std::size_t> index_of;
  for (const TableRow& row : table.rows()) {
    std::vector<std::string> values;
    for (const std::string& column : columns) values.push_back(table.text(row, column));
    const auto [found, is_new] = index_of.emplace(values, all.size());
    if (is_new) all.push_back({values, {}});
    all[found->second].rows.push_back(&row);
  }
  return all;
}

}  // namespace petal
