// SPDX-License-Identifier: Apache-2.0
#include "petal/trace/trace_file.hpp"

#include <fmt/format.h>

#include <cstring>

#include "petal/observe/number_format.hpp"

namespace petal {
namespace {

/// More than any event of ours takes, metadata apart.
constexpr std::size_t kMostOfAnEvent = 2048;
static_assert(kMostOfAnEvent <= GrowingFile::kMostRoom);

constexpr std::uint64_t kPsAMicrosecond = 1'000'000;

}  // namespace

/// One event, written straight into the file's room; it is the file's when this goes.
class TraceFile::Event {
 public:
  Event(TraceFile& trace, char phase, const TraceTrack& track)
      : trace_(trace), to_(trace.file_.room(kMostOfAnEvent)) {
    text(trace.is_first_ ? "{\"ph\":\"" : ",\n{\"ph\":\"");
    trace.is_first_ = false;
    *to_++ = phase;
    text("\",\"pid\":");
    number(track.process);
    text(",\"tid\":");
    number(track.thread);
  }
  ~Event() {
    text("}");
    trace_.file_.commit(to_);
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void text(std::string_view characters) {
    std::memcpy(to_, characters.data(), characters.size());
    to_ += characters.size();
  }
  void number(std::uint64_t value) { to_ = write_decimal(to_, value); }

  void name(std::string_view category, std::string_view name) {
    if (!category.empty()) {
      text(",\"cat\":\"");
      text(category);
      text("\"");
    }
    text(",\"name\":\"");
    text(name);
    text("\"");
  }

  /// `key` with its quotes and colon.
  void time(std::string_view key, Picoseconds time) {
    const auto picoseconds = static_cast<std::uint64_t>(time.count());
    text(key);
    number(picoseconds / kPsAMicrosecond);
    *to_++ = '.';
    // Six digits, with their zeros: of a seven-digit number the last six.
    char digits[kMostDecimalDigits];
    write_decimal(digits, kPsAMicrosecond + picoseconds % kPsAMicrosecond);
    std::memcpy(to_, digits + 1, 6);
    to_ += 6;
  }

  void arguments(TraceArguments arguments) {
    text(",\"args\":{");
    bool is_first = true;
    for (const TraceArgument& argument : arguments) {
      text(is_first ? "\"" : ",\"");
      is_first = false;
      text(argument.name);
      text("\":");
      if (argument.text.empty()) {
        number(argument.number);
        continue;
      }
      text("\"");
      text(argument.text);
      text("\"");
    }
    text("}");
  }

 private:
  TraceFile& trace_;
  char* to_;
};

TraceFile::TraceFile(const std::string& path) : file_(path) {
  file_.append("[\n");
}

TraceFile::~TraceFile() {
  end();
}

void TraceFile::metadata(const TraceTrack& track, std::string_view name, const std::string& arguments_json) {
  file_.append(fmt::format("{}{{\"ph\":\"M\",\"pid\":{},\"tid\":{},\"name\":\"{}\",\"args\":{}}}",
                           is_first_ ? "" : ",\n", track.process, track.thread, name, arguments_json));
  is_first_ = false;
}

void TraceFile::slice(const TraceTrack& track, std::string_view category, std::string_view name,
                      Picoseconds start, Picoseconds end, TraceArguments arguments) {
  Event event(*this, 'X', track);
  event.time(",\"ts\":", start);
  event.time(",\"dur\":", end - start);
  event.name(category, name);
  event.arguments(arguments);
}

void TraceFile::instant(const TraceTrack& track, std::string_view category, std::string_view name,
                        Picoseconds at, TraceArguments arguments) {
  Event event(*this, 'i', track);
  event.time(",\"ts\":", at);
  event.text(",\"s\":\"t\"");
  event.name(category, name);
  event.arguments(arguments);
}

void TraceFile::counter(const TraceTrack& track, std::string_view name, Picoseconds at,
                        TraceArguments values) {
  Event event(*this, 'C', track);
  event.time(",\"ts\":", at);
  event.name({}, name);
  event.arguments(values);
}

void TraceFile::flow(const TraceTrack& track, char phase, std::uint64_t id, Picoseconds at) {
  Event event(*this, phase, track);
  event.time(",\"ts\":", at);
  event.name("command", "command");
  event.text(",\"id\":");
  event.number(id);
}

void TraceFile::end() {
  if (ended_) return;
  ended_ = true;
  file_.append("\n]\n");
}

void TraceFile::close() {
  end();
  file_.close();
}

}  // namespace petal
