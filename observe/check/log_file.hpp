// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "petal/check/log_row.hpp"
#include "petal/check/violation_list.hpp"

namespace petal::check {

struct LogFile {
  std::string config;        ///< the text after `# config:`; empty if there is none
  std::vector<LogRow> rows;  ///< in file order; rows that cannot be read are left out
};

/// Reads `log` and reports what is not in the format (rule `format`).
LogFile read_log(std::istream& log, ViolationList& violations);

}  // namespace petal::check
