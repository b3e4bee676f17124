// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace petal::test {

/// The cells of a table's row, without the spaces around them and without the commas between digits.
using TableRow = std::vector<std::string>;

/// The rows of the first Markdown table in the file at `path` whose head starts with `first_column`, without
/// head and rule. Throws std::runtime_error if there is no such file or table.
std::vector<TableRow> table_in_document(const std::string& path, const std::string& first_column);

}  // namespace petal::test
