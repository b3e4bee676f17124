// SPDX-License-Identifier: Apache-2.0
//
// One row of an op_log as the checker reads it. What the columns mean is documented with the writer,
// observe/op_log.hpp; what a row's event does not have is zero or empty here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace petal::check {

enum class LogEvent : std::uint8_t { dispatch, queue_wait, hazard_wait, stage, complete };

/// Of a stage, and of the port that executes it.
enum class LogStage : std::uint8_t { dma_read, fetch, gemm, math, store, dma_write };
inline constexpr std::size_t kLogStages = 6;

/// Picoseconds since the start of the run; never negative.
using Time = std::int64_t;

/// Bytes [begin, end) of HBM or of TCM.
struct LogRange {
  bool is_tcm = false;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  bool overlaps(const LogRange& other) const {
    return is_tcm == other.is_tcm && begin < other.end && other.begin < end;
  }
};

struct LogTile {
  std::uint64_t m = 0;
  std::uint64_t n = 0;
  std::uint64_t k = 0;
};

struct LogRow {
  std::uint64_t seq = 0;
  std::uint64_t pe = 0;
  std::uint64_t cmd = 0;
  Time start = 0;
  Time end = 0;
  Time busy_end = 0;  ///< stages only
  std::uint64_t bytes = 0;
  std::uint64_t elements = 0;
  std::uint64_t macs = 0;
  std::uint64_t logical_bytes = 0;
  double cycles = 0;
  LogTile tile;
  std::vector<LogRange> reads;
  std::vector<LogRange> writes;
  std::vector<std::uint64_t> waits_on;
  std::string op;
  std::uint32_t op_index = 0;
  std::uint32_t segment = 1;  ///< 1-based
  std::uint32_t segments = 1;
  LogEvent event = LogEvent::dispatch;
  LogStage stage = LogStage::dma_read;  ///< stages only
  bool has_tile = false;
  bool is_composite = false;
  bool is_overhead = false;
};

}  // namespace petal::check
