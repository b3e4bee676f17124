// SPDX-License-Identifier: Apache-2.0
//
// SampleLog: an op_log written by hand, row by row, for the tests of the checker. Rows have labels, so that a
// test can break one thing and leave the rest right.
#pragma once

#include <string>
#include <vector>

namespace petal::test {

class SampleLog {
 public:
  /// `columns` is a row without its seq.
  void add(const std::string& label, const std::string& columns);
  /// Adds a copy of a row.
  void duplicate(const std::string& label);
  void remove(const std::string& label);
  /// Changes one field of one row.
  void set(const std::string& label, const std::string& column, const std::string& value);
  std::string get(const std::string& label, const std::string& column) const;
  /// Moves start_ps, end_ps and busy_end_ps by `by`.
  void shift(const std::string& label, long long by);
  /// Changes the value that follows `"key":` in the configuration, wherever it occurs.
  void configure(const std::string& key, const std::string& value);
  void set_config(const std::string& config) { config_ = config; }
  const std::string& config() const { return config_; }

  /// The row's seq in text().
  std::string seq_of(const std::string& label) const;
  /// Head and rows, sorted and numbered.
  std::string text() const;

 private:
  struct Row {
    std::string label;
    std::vector<std::string> fields;
  };

  Row& row(const std::string& label);
  std::vector<Row> sorted() const;

  std::string config_;
  std::vector<Row> rows_;
};

/// PE 0: a load, kernel cycles, a fill that runs beside the load, a GEMM composite with two streamed K steps
/// and an add that waits for the load, a composite in two segments, a write that waits for the GEMM, a fill
/// that waits for the queue. PE 1: a GEMM from HBM to HBM.
SampleLog two_pe_log();

/// A GEMM of two out tiles of three K steps each, with a K_TILE op and an out in HBM, one stage after
/// another.
SampleLog k_tile_log();

/// The same on a systolic array of 16 x 16, os: tiles are 16 x 16 x 16 of 2-byte elements, one fold each.
/// Each GEMM takes `gemm_ps`; right is 16 + 16 + 16 - 2 = 46 cycles of a nanosecond.
SampleLog systolic_log(long long gemm_ps = 46000);

}  // namespace petal::test
