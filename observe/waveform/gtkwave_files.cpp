// SPDX-License-Identifier: Apache-2.0
#include "petal/waveform/gtkwave_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "petal/command/error.hpp"

namespace petal {
namespace {

// Flags of a line in GTKWave's save files.
constexpr unsigned kHexadecimal = 0x22;
constexpr unsigned kDecimal = 0x24;
constexpr unsigned kBinary = 0x28;
constexpr unsigned kBlank = 0x200;
constexpr unsigned kTranslated = 0x2000;
constexpr unsigned kSteps = 0x8000;     ///< drawn as a curve of steps
constexpr unsigned kStretch = 0x20000;  ///< a blank line that makes the curve above it higher
constexpr unsigned kClosed = 0x400000;
constexpr unsigned kGroupBegin = 0x800000;
constexpr unsigned kGroupEnd = 0x1000000;
constexpr unsigned kCollapsed = 0x1000;

// Its colours, by number.
enum class Colour : std::uint8_t { red = 1, orange, yellow, green, blue, indigo, violet };

/// The width that waves are assumed to have on the screen, and GTKWave's measure of one.
constexpr double kPixels = 1000;
constexpr double kPixelsAFrame = 200;

/// How a signal is shown.
struct Appearance {
  Colour colour;
  bool in_details;  ///< stands in a group of its own, closed at first
};

Colour colour_of(std::size_t port) {
  constexpr Colour kColours[kEnginePorts] = {Colour::yellow, Colour::yellow, Colour::violet,
                                             Colour::violet, Colour::red,    Colour::orange};
  return kColours[port];
}

Appearance appearance_of(std::size_t signal) {
  if (signal >= kPeSignals) {
    const std::size_t port = (signal - kPeSignals) / kPortSignals;
    const auto kind = static_cast<PortSignal>((signal - kPeSignals) % kPortSignals);
    return {colour_of(port), kind != PortSignal::stage && kind != PortSignal::command};
  }
  switch (static_cast<PeSignal>(signal)) {
    case PeSignal::cpu_state:
    case PeSignal::cpu_command:
    case PeSignal::cpu_bytes:
    case PeSignal::queue_bytes:
    case PeSignal::queue_entries:
      return {Colour::green, false};
    case PeSignal::outstanding:
      return {Colour::yellow, false};
    default:
      return {Colour::orange, false};
  }
}

bool is_curve(std::size_t signal) {
  return signal == signal_index(PeSignal::queue_bytes) || signal == signal_index(PeSignal::outstanding);
}

/// Writes a save file line by line; a line of flags holds until the next.
class SaveText {
 public:
  explicit SaveText(std::string states_name) : states_name_(std::move(states_name)) {}

  void line(const std::string& text) { text_ += text + "\n"; }

  void open_group(const std::string& name, bool closed) {
    flags(kGroupBegin | kBlank | (closed ? kClosed : 0U));
    line("-" + name);
  }
  void close_group(const std::string& name, bool closed) {
    flags(kGroupEnd | kBlank | (closed ? kClosed | kCollapsed : 0U));
    line("-" + name);
  }

  void signal(const std::string& scope, const SignalPlace& place) {
    const std::string range = place.bits == 1 ? "" : fmt::format("[{}:0]", place.bits - 1);
    const bool is_state = place.bits == kCodeBits;
    unsigned format = place.bits == 1 ? kBinary : kDecimal;
    if (is_state) format = kHexadecimal | kTranslated;
    if (is_curve(place.index)) format |= kSteps;
    flags(format);
    if (is_state) line("^1 " + states_name_);
    line(fmt::format("[color] {}", static_cast<int>(appearance_of(place.index).colour)));
    const std::string dot = *place.scope == '\0' ? "" : ".";
    const std::string name = fmt::format("{}{}.{}{}", dot, place.scope, place.name, range);
    std::string alias = std::string(place.scope) + (dot.empty() ? "" : " ") + place.name;
    std::replace(alias.begin(), alias.end(), '.', ' ');
    line(fmt::format("+{{{}}} {}{}", alias, scope, name));
    if (!is_curve(place.index)) return;
    flags(kStretch);
    line("-");
  }

  const std::string& text() const { return text_; }

 private:
  void flags(unsigned flags) { line(fmt::format("@{:x}", flags)); }

  const std::string states_name_;
  std::string text_;
};

std::string dotted(const std::vector<std::string>& scopes) {
  std::string text;
  for (const std::string& scope : scopes) text += scope + ".";
  return text;
}

void add_pe(SaveText& text, const VcdLayout& layout, PeIndex pe, bool closed) {
  const std::string& name = layout.names[pe];
  const std::string scope = dotted(layout.scopes) + name;
  text.open_group(name, closed);
  for (const bool in_details : {false, true}) {
    if (in_details) text.open_group("details of " + name, true);
    for (const SignalPlace& place : signals_of(layout.pes[pe]))
      if (appearance_of(place.index).in_details == in_details) text.signal(scope, place);
    if (in_details) text.close_group("details of " + name, true);
  }
  text.close_group(name, closed);
}

void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  if (!(out << text).flush())
    throw ConfigError(
        fmt::format("'{}' cannot be written; it belongs to the waveform beside it", path.string()));
}

}  // namespace

std::string gtkwave_save_text(const std::string& vcd_name, const std::string& save_name,
                              const std::string& states_name, const VcdLayout& layout,
                              const WaveformView& view) {
  SaveText text(states_name);
  text.line("[*] written by PETAL");
  text.line(fmt::format("[dumpfile] \"{}\"", vcd_name));
  text.line(fmt::format("[savefile] \"{}\"", save_name));
  text.line(fmt::format("[timestart] {}", view.from.count()));
  text.line("[size] 1500 900");
  text.line("[pos] -1 -1");
  const double picoseconds_a_frame =
      std::max(1.0, static_cast<double>((view.to - view.from).count()) * kPixelsAFrame / kPixels);
  text.line(fmt::format("*{:.6f} -1", -std::log2(picoseconds_a_frame)));
  if (!layout.scopes.empty()) text.line(fmt::format("[treeopen] {}", dotted(layout.scopes)));
  text.line("[sst_expanded] 0");
  for (std::size_t index = 0; index < layout.shown.size(); ++index)
    add_pe(text, layout, layout.shown[index], index > 0);
  return text.text();
}

std::string gtkwave_states_text() {
  constexpr int kDigits = (kCodeBits + 3) / 4;
  std::string text = "# Names of the states in the waveform beside this file, for GTKWave.\n";
  for (const CodeName& code : code_names())
    text += fmt::format("{:0{}x} ?{}?{}\n", code.code, kDigits, code.colour, code.name);
  return text;
}

void write_gtkwave_files(const std::string& vcd_path, const VcdLayout& layout, const WaveformView& view) {
  const std::filesystem::path vcd(vcd_path);
  if (!std::filesystem::is_regular_file(vcd)) return;
  const std::filesystem::path save = std::filesystem::path(vcd).replace_extension(".gtkw");
  const std::filesystem::path states = std::filesystem::path(vcd).replace_extension(".states");
  write_text(states, gtkwave_states_text());
  write_text(save, gtkwave_save_text(vcd.filename().string(), save.filename().string(),
                                     states.filename().string(), layout, view));
}

}  // namespace petal
