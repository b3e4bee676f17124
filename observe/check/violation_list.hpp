// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "petal/check/check_report.hpp"

namespace petal::check {

/// Counts violations into a report and lists the first of them.
class ViolationList {
 public:
  /// `report` must outlive the list.
  explicit ViolationList(CheckReport& report) : report_(report) {}

  /// `text` is a callable that makes the line, because a log may have millions of violations and few are
  /// listed.
  template <typename Text>
  void add(const char* rule, const std::vector<std::uint64_t>& rows, Text text) {
    if (count(rule)) list(rule, rows, text());
  }

 private:
  /// True if there is room to list one more.
  bool count(const char* rule);
  void list(const char* rule, std::vector<std::uint64_t> rows, std::string text);

  CheckReport& report_;
};

}  // namespace petal::check
