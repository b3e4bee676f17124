// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace petal {

/// How long the dispatch of one command took.
struct Measurement {
  std::uint64_t logical_bytes = 0;
  double ns = 0;
  int line = 0;  ///< of the file, from 1
};

/// Reads a CSV file of pairs: a whole number of bytes, and nanoseconds, finite and not negative. Lines that
/// are empty or begin with '#' are skipped. A first line that is no pair is a header: then the columns are
/// those called `logical_bytes` and `ns`, and others are skipped.
///
/// Throws ConfigError with a line "name:line: ..." for each mistake, all of them (up to a hundred) at once,
/// and for a file without a pair.
std::vector<Measurement> read_measurements(std::istream& in, const std::string& name);

}  // namespace petal
