// SPDX-License-Identifier: Apache-2.0
//
// Summaries as `petal run --summary` writes them, with the numbers a test gives.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "petal/sweep/point_result.hpp"

namespace petal::test {

/// A run of two PEs of `time_ps` each.
inline nlohmann::json sample_summary(const std::string& kernel, std::int64_t time_ps,
                                     double cycles_per_tile) {
  return {{"kernel", kernel},
          {"time_ps", time_ps},
          {"tiles", 4},
          {"verdict", "dispatch-bound"},
          {"dispatch_per_tile", {{"commands", 2.0}, {"logical_bytes", 380.0}, {"cycles", cycles_per_tile}}},
          {"total",
           {{"pe_time_ps", 2 * time_ps},
            {"dispatch", {{"commands", 9}, {"logical_bytes", 537}, {"cycles", 393.5625}}},
            {"engines", {{"gemm", {{"busy_ps", time_ps / 2}, {"stages", 8}}}}},
            {"cpu", {{"dispatching_ps", time_ps}}},
            {"hazard_wait_ps", 0},
            {"dma", {{"read_bytes", 4096}, {"write_bytes", 512}}}}},
          {"config", {{"q_heads", 32}, {"platform", {{"hbm", {{"scope", "shared"}}}}}}}};
}

inline PointResult sample_result(const std::string& kernel, std::int64_t time_ps, double cycles_per_tile) {
  PointResult result;
  result.summary = sample_summary(kernel, time_ps, cycles_per_tile);
  return result;
}

inline PointResult sample_failure(const std::string& message) {
  PointResult result;
  result.failure = PointFailure{2, 0, message};
  return result;
}

}  // namespace petal::test
