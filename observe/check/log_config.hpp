// SPDX-License-Identifier: Apache-2.0
//
// The parameters that the rules need, from a log's `# config:` line: the effective configuration as JSON,
// with the key paths of a scenario file. `platform.pes` is a list of PEs, or a count of PEs all like
// `platform.pe`.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "petal/check/log_row.hpp"
#include "petal/check/violation_list.hpp"

namespace petal::check {

/// The systolic array of a PE's GEMM engine.
struct SystolicRules {
  std::uint64_t rows = 0;
  std::uint64_t cols = 0;
  std::string dataflow;  ///< "os", "ws" or "is"
  bool preload_is_overlapped = false;
  std::uint64_t tile_m = 0;  ///< gemm_tile
  std::uint64_t tile_k = 0;
  std::uint64_t tile_n = 0;
};

/// What holds on one PE. Bandwidths and rates are 0 when unlimited.
struct PeRules {
  double clock_ghz = 0;
  double fixed_cycles = 0;
  double cycles_per_byte = 0;
  std::uint64_t cap = 0;
  std::uint64_t queue_bytes = 0;
  std::uint64_t max_in_flight = 0;
  std::uint64_t tile_buffers = 0;
  double plan_cycles_per_op = 0;
  double dma_setup_cycles = 0;
  std::uint64_t dma_outstanding = 0;
  bool dma_makes_bursts = false;  ///< the log alone says how long they take
  double fetch_gb_per_s = 0;
  double store_gb_per_s = 0;
  double port_setup_cycles = 0;
  double macs_per_cycle[3] = {0, 0, 0};  ///< f32, 16-bit, 8-bit
  std::uint64_t m_quantum = 0;
  std::optional<SystolicRules> systolic;  ///< then the two above are not used
  std::uint64_t lanes = 0;
  double math_startup_cycles = 0;
  double fast_cycles = 0;
  double slow_cycles = 0;
  std::uint64_t arena_bytes = 0;
  bool shares_compute_slot = false;
  double hbm_gb_per_s = 0;  ///< all channels together, as far as they are reached
  Time hbm_latency = 0;

  /// llround(cycles * 1000 / GHz), or the latest time a log can have.
  Time time_of_cycles(double cycles) const;
  /// llround(bytes * 1000 / (GB/s)); 0 for an unlimited port.
  static Time time_of_bytes(std::uint64_t bytes, double gb_per_s);
};

class LogConfig {
 public:
  /// `text` is what stands after `# config:`. Reports it when it is missing or not JSON (rule `config`).
  LogConfig(const std::string& text, ViolationList& violations);
  ~LogConfig();

  /// The rules of that PE, or nothing after a report of what is missing.
  std::optional<PeRules> rules_of(std::uint64_t pe, ViolationList& violations) const;

 private:
  std::unique_ptr<nlohmann::json> platform_;  ///< null if there is no usable configuration
};

}  // namespace petal::check
