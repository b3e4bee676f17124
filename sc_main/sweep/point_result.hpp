// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace petal {

/// Why a point has no summary.
struct PointFailure {
  int exit_code = 0;
  int signal = 0;       ///< that ended the process; 0: none did
  std::string message;  ///< one line
};

/// What came of a point: a summary, a failure, or nothing yet.
struct PointResult {
  std::optional<nlohmann::json> summary;
  std::optional<PointFailure> failure;

  bool is_there() const { return summary || failure; }
  /// It has to be run: nothing is known of it, or something from outside ended it.
  bool is_due() const { return !summary && (!failure || failure->signal != 0); }
};

}  // namespace petal
