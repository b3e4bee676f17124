// SPDX-License-Identifier: Apache-2.0
#include "petal/waveform/vcd_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string_view>

namespace petal {
namespace {

/// The most that one change takes: `b`, 64 digits and a suffix that is written eight characters at a time.
constexpr std::size_t kMostOfAChange = 1 + kMostBinaryDigits + 8 + 8;
constexpr std::size_t kMostOfATime = 2 + kMostDecimalDigits;
static_assert(kSignals * kMostOfAChange + kMostOfATime <= GrowingFile::kMostRoom);

/// Signals of one bit are written without `b` and space.
constexpr SignalSet make_wires() {
  SignalSet wires = SignalSet{1} << signal_index(PeSignal::interrupt);
  for (std::size_t port = 0; port < kEnginePorts; ++port)
    wires |= SignalSet{1} << signal_index(static_cast<EnginePort>(port), PortSignal::busy);
  return wires;
}
constexpr SignalSet kWires = make_wires();

constexpr bool is_wire(std::size_t signal) {
  return ((kWires >> signal) & 1U) != 0;
}

/// `text` with nothing in it that could end a comment: JSON knows `$` by its number too.
std::string comment_text(const std::string& text) {
  std::string safe;
  for (const char character : text) safe += character == '$' ? "\\u0024" : std::string(1, character);
  return safe;
}

/// A JSON text in ASCII.
std::string ascii_json(const std::string& text) {
  const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
  return json.is_discarded() ? std::string("null") : json.dump(-1, ' ', true);
}

std::string header_text(const VcdLayout& layout, const OutputOrigin& origin) {
  std::string text =
      fmt::format("$comment petal vcd 1 $end\n$version petal {} $end\n", comment_text(origin.version));
  text += fmt::format("$comment config: {} $end\n", comment_text(ascii_json(origin.config_json)));
  for (const PeIndex pe : layout.shown)
    if (layout.names[pe] != layout.pes[pe].name)
      text += fmt::format("$comment PE {} is called {} here: {} $end\n", pe, layout.names[pe],
                          comment_text(nlohmann::json(layout.pes[pe].name)
                                           .dump(-1, ' ', true, nlohmann::json::error_handler_t::replace)));
  return text + "$timescale 1 ps $end\n";
}

void append_scopes(std::vector<std::string>& path, std::string_view dotted) {
  while (!dotted.empty()) {
    const std::size_t dot = std::min(dotted.find('.'), dotted.size());
    path.emplace_back(dotted.substr(0, dot));
    dotted.remove_prefix(std::min(dot + 1, dotted.size()));
  }
}

}  // namespace

/// Opens and closes scopes, so that what is declared next stands in the right one.
class VcdFile::ScopeCursor {
 public:
  explicit ScopeCursor(GrowingFile& file) : file_(file) {}
  ~ScopeCursor() { move_to({}); }
  ScopeCursor(const ScopeCursor&) = delete;
  ScopeCursor& operator=(const ScopeCursor&) = delete;

  void move_to(const std::vector<std::string>& path) {
    std::size_t common = 0;
    while (common < path.size() && common < open_.size() && path[common] == open_[common]) ++common;
    for (; open_.size() > common; open_.pop_back()) file_.append("$upscope $end\n");
    for (; open_.size() < path.size(); open_.push_back(path[open_.size()]))
      file_.append(fmt::format("$scope module {} $end\n", path[open_.size()]));
  }

 private:
  GrowingFile& file_;
  std::vector<std::string> open_;
};

VcdFile::VcdFile(const std::string& path, const VcdLayout& layout, const OutputOrigin& origin)
    : file_(path), written_(layout.pes.size()), shown_(layout.shown) {
  file_.append(header_text(layout, origin));
  {
    ScopeCursor cursor(file_);
    for (const PeIndex pe : layout.shown) declare(cursor, layout, pe);
  }
  file_.append("$enddefinitions $end\n");
}

void VcdFile::declare(ScopeCursor& cursor, const VcdLayout& layout, PeIndex pe) {
  for (const SignalPlace& place : signals_of(layout.pes[pe])) {
    std::vector<std::string> scope = layout.scopes;
    scope.push_back(layout.names[pe]);
    append_scopes(scope, place.scope);
    cursor.move_to(scope);
    const std::string identifier = next_identifier();
    file_.append(fmt::format("$var wire {} {} {} $end\n", place.bits, identifier, place.name));
    Written& written = written_[pe];
    written.declared |= SignalSet{1} << place.index;
    Suffix& suffix = written.suffixes[place.index];
    const std::string text = (is_wire(place.index) ? "" : " ") + identifier + "\n";
    text.copy(suffix.text.data(), suffix.text.size());
    suffix.length = static_cast<std::uint8_t>(text.size());
  }
}

/// The printable characters of ASCII from % on, as digits of a number: none is `$end`.
std::string VcdFile::next_identifier() {
  constexpr std::uint64_t kFirst = 37;
  constexpr std::uint64_t kCharacters = 90;
  std::string identifier;
  for (std::uint64_t number = identifiers_++;; number = number / kCharacters - 1) {
    identifier += static_cast<char>(kFirst + number % kCharacters);
    if (number < kCharacters) return identifier;
  }
}

char* VcdFile::time(char* to, Picoseconds at) {
  latest_ = at;
  *to++ = '#';
  to = write_decimal(to, static_cast<std::uint64_t>(at.count()));
  *to++ = '\n';
  return to;
}

inline char* VcdFile::change(char* to, const Suffix& suffix, std::size_t signal, std::uint64_t value) {
  if (is_wire(signal)) {
    *to++ = static_cast<char>('0' + value);
  } else {
    *to++ = 'b';
    if (value == kNoValue)
      *to++ = 'z';
    else
      to = write_binary(to, value);
  }
  std::memcpy(to, suffix.text.data(), suffix.text.size());
  return to + suffix.length;
}

void VcdFile::write_initial(Picoseconds at, const std::vector<SignalValues>& values) {
  char* to = file_.room(kMostOfATime);
  file_.commit(time(to, at));
  file_.append("$dumpvars\n");
  for (const PeIndex pe : shown_) {
    Written& written = written_[pe];
    written.values = values[pe];
    to = file_.room(kSignals * kMostOfAChange);
    for (SignalSet left = written.declared; left != 0; left &= left - 1) {
      const auto signal = static_cast<std::size_t>(__builtin_ctzll(left));
      to = change(to, written.suffixes[signal], signal, values[pe][signal]);
    }
    file_.commit(to);
  }
  file_.append("$end\n");
}

void VcdFile::write(Picoseconds at, PeIndex pe, const SignalValues& values, SignalSet changed) {
  Written& written = written_[pe];
  char* to = file_.room(kSignals * kMostOfAChange + kMostOfATime);
  for (SignalSet left = changed & written.declared; left != 0; left &= left - 1) {
    const auto signal = static_cast<std::size_t>(__builtin_ctzll(left));
    if (written.values[signal] == values[signal]) continue;
    written.values[signal] = values[signal];
    if (at != latest_) to = time(to, at);
    to = change(to, written.suffixes[signal], signal, values[signal]);
  }
  file_.commit(to);
}

void VcdFile::write_end(Picoseconds at) {
  if (at != latest_) file_.commit(time(file_.room(kMostOfATime), at));
}

}  // namespace petal
