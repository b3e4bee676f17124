// SPDX-License-Identifier: Apache-2.0
//
// TraceFile: the text of a trace in Chrome's JSON format, which Perfetto and chrome://tracing open: an array
// of events, one a line. Times are microseconds with six decimals, which is exact to the picosecond. The file
// can be read at any moment (GrowingFile); the format lets the closing bracket be missing.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "petal/command/units.hpp"
#include "petal/observe/growing_file.hpp"

namespace petal {

/// Whose event it is: viewers show a process for each PE, with a row for each track.
struct TraceTrack {
  std::uint32_t process = 0;
  std::uint32_t thread = 0;
};

/// `"name":value` among an event's arguments. Names and texts are plain ASCII without quotes.
struct TraceArgument {
  std::string_view name;
  std::uint64_t number = 0;
  std::string_view text = {};  ///< in place of the number, unless empty
};
using TraceArguments = std::initializer_list<TraceArgument>;

class TraceFile {
 public:
  /// Throws ConfigError if the file cannot be written.
  explicit TraceFile(const std::string& path);
  /// As `close`, without a word.
  ~TraceFile();
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  /// Metadata: `arguments_json` is a JSON object.
  void metadata(const TraceTrack& track, std::string_view name, const std::string& arguments_json);
  /// Something that lasts from `start` to `end`.
  void slice(const TraceTrack& track, std::string_view category, std::string_view name, Picoseconds start,
             Picoseconds end, TraceArguments arguments);
  /// Something that happens.
  void instant(const TraceTrack& track, std::string_view category, std::string_view name, Picoseconds at,
               TraceArguments arguments);
  /// The values of a counter from `at` on; several are stacked.
  void counter(const TraceTrack& track, std::string_view name, Picoseconds at, TraceArguments values);
  /// A point of an arrow from slice to slice: it starts (`s`) and goes on (`t`) in the slice around `at`, and
  /// ends (`f`) in what comes next on the track.
  void flow(const TraceTrack& track, char phase, std::uint64_t id, Picoseconds at);

  /// Ends the array. Throws ConfigError if something could not be written.
  void close();

 private:
  class Event;

  void end();

  GrowingFile file_;
  bool is_first_ = true;
  bool ended_ = false;
};

}  // namespace petal
