// SPDX-License-Identifier: Apache-2.0
//
// VcdFile: the text of a Value Change Dump (IEEE 1364). It is handed values in the order of time and writes
// what differs from what it has written. The file is readable at any moment (GrowingFile).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "petal/observe/growing_file.hpp"
#include "petal/observe/number_format.hpp"
#include "petal/observe/output_origin.hpp"
#include "petal/waveform/pe_signals.hpp"

namespace petal {

/// The values of a PE's signals.
using SignalValues = std::array<std::uint64_t, kSignals>;
/// A set of signals: bit i stands for signal i.
using SignalSet = std::uint64_t;

/// What stands in a VCD file, under which names.
struct VcdLayout {
  std::vector<std::string> scopes;  ///< legal names of the modules around the PEs, outermost first
  std::vector<std::string> names;   ///< legal, of all PEs
  std::vector<WaveformPe> pes;      ///< all PEs
  std::vector<PeIndex> shown;       ///< those whose signals are in the file
};

class VcdFile {
 public:
  /// Writes the header. Throws ConfigError if the file cannot be written.
  VcdFile(const std::string& path, const VcdLayout& layout, const OutputOrigin& origin);

  /// The initial values of all signals, at `at`: once, before the first `write`. `values` by PE.
  void write_initial(Picoseconds at, const std::vector<SignalValues>& values);
  /// Those of `changed` that differ from what is written. Precondition: `at` is not before the latest; `pe`
  /// is shown.
  void write(Picoseconds at, PeIndex pe, const SignalValues& values, SignalSet changed);
  /// The file's last time.
  void write_end(Picoseconds at);
  /// Throws ConfigError if something could not be written.
  void close() { file_.close(); }

 private:
  /// ` identifier\n`, and how many of the characters count.
  struct Suffix {
    std::array<char, 8> text{};
    std::uint8_t length = 0;
  };
  struct Written {
    SignalValues values{};
    std::array<Suffix, kSignals> suffixes{};
    SignalSet declared = 0;
  };

  class ScopeCursor;

  void declare(ScopeCursor& cursor, const VcdLayout& layout, PeIndex pe);
  std::string next_identifier();
  char* time(char* to, Picoseconds at);
  static char* change(char* to, const Suffix& suffix, std::size_t signal, std::uint64_t value);

  GrowingFile file_;
  std::vector<Written> written_;  // by PE
  std::vector<PeIndex> shown_;
  std::uint64_t identifiers_ = 0;
  Picoseconds latest_{-1};
};

}  // namespace petal
