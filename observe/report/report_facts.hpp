// SPDX-License-Identifier: Apache-2.0
//
// What the configuration says of a platform that a report needs and no event tells.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "petal/observe/what_if.hpp"

namespace petal {

/// A GEMM rate that a PE cannot exceed.
struct PeakRate {
  std::string label;  ///< what it holds for: "f16"
  double gops = 0;    ///< 10^9 operations a second, two for each MAC; 0: unlimited
};

struct PeFacts {
  double fixed_cycles = 0;
  double cycles_per_byte = 0;
  double clock_ghz = 1;
  std::uint64_t queue_bytes = 0;
  std::uint32_t max_in_flight = 0;
  std::vector<PeakRate> peaks;  ///< empty: the PE has no GEMM engine
};

struct ReportFacts {
  std::string scenario;               ///< the file's name
  std::vector<PeFacts> pes;           ///< in the order of their index
  std::optional<MemoryFacts> memory;  ///< nothing: the configuration does not describe the memory
};

}  // namespace petal
