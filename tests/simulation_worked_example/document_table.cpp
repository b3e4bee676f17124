// SPDX-License-Identifier: Apache-2.0
#include "document_table.hpp"

#include <cctype>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace petal::test {
namespace {

bool is_digit(char character) {
  return std::isdigit(static_cast<unsigned char>(character)) != 0;
}

std::string cell_of(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  const std::string trimmed = text.substr(first, text.find_last_not_of(' ') - first + 1);
  std::string cell;
  for (std::size_t i = 0; i < trimmed.size(); ++i) {
    // "43,375" is a number of thousands; "0,1,0" is a tile.
    const bool groups = trimmed[i] == ',' && i > 0 && is_digit(trimmed[i - 1]) && i + 3 < trimmed.size() &&
                        is_digit(trimmed[i + 1]) && is_digit(trimmed[i + 2]) && is_digit(trimmed[i + 3]);
    if (!groups) cell += trimmed[i];
  }
  return cell;
}

TableRow row_of(const std::string& line) {
  TableRow row;
  std::istringstream cells(line.substr(1));
  for (std::string cell; std::getline(cells, cell, '|');) row.push_back(cell_of(cell));
  return row;
}

}  // namespace

std::vector<TableRow> table_in_document(const std::string& path, const std::string& first_column) {
  std::ifstream document(path);
  if (!document) throw std::runtime_error("cannot read " + path);
  std::string line;
  while (std::getline(document, line))
    if (line.rfind("| " + first_column + " |", 0) == 0) break;
  std::getline(document, line);
  std::vector<TableRow> rows;
  while (std::getline(document, line) && !line.empty() && line.front() == '|') rows.push_back(row_of(line));
  if (rows.empty())
    throw std::runtime_error(path + " has no table that starts with the column " + first_column);
  return rows;
}

}  // namespace petal::test
