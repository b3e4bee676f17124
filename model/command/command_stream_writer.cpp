// SPDX-License-Identifier: Apache-2.0
#include "petal/command/command_stream_writer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <ostream>
#include <stdexcept>

#include "petal/command/recording_checker.hpp"
#include "petal/command/tensor_table.hpp"
#include "petal/command/wire_codec.hpp"

namespace petal {
namespace {

std::string hex_of(const std::vector<std::byte>& bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  constexpr unsigned kBitsADigit = 4;
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::byte byte : bytes) {
    text += kDigits[std::to_integer<unsigned>(byte >> kBitsADigit)];
    text += kDigits[std::to_integer<unsigned>(byte & std::byte{0x0F})];
  }
  return text;
}

class StreamWriter {
 public:
  explicit StreamWriter(std::ostream& out) : out_(out) {}

  void header(const CommandStream& stream) {
    const std::size_t pes = stream.launches.empty() ? 0 : stream.launches.front().pes.size();
    for (const LaunchRecording& launch : stream.launches)
      if (launch.pes.size() != pes || pes == 0)
        throw std::invalid_argument(
            fmt::format("a command stream has a launch of {} PEs after one of {}; every launch "
                        "has the PEs of its platform, at least one",
                        launch.pes.size(), pes));
    line(fmt::format(R"({{"format":"{}","schema":{},"launches":{},"pes":{},"config":{}}})",
                     kCommandStreamFormat, kCommandStreamSchema, stream.launches.size(), pes,
                     config_of(stream)));
  }

  void recording(std::size_t launch, std::size_t pe, const PeRecording& recording) {
    line(fmt::format(R"({{"launch":{},"pe":{},"steps":{}}})", launch, pe, recording.steps.size()));
    RecordingChecker checker;
    for (const RecordedStep& step : recording.steps) {
      if (const auto problem = checker.find_error(step)) refuse(launch, pe, *problem);
      std::visit(*this, step);
    }
    if (const auto problem = checker.find_end_error()) refuse(launch, pe, *problem);
  }

  void operator()(const IssueRequest& request) {
    const CommandSlice& slice = request.slice;
    const std::string command = slice.segment == 0 ? wire_fields(*slice.command) : "";
    line(fmt::format(
        R"({{"step":"issue",{}"completion":{},"segment":{},"segments":{},"first_op":{},"last_op":{},)"
        R"("bytes":{},"primitive":{},"pending":[{}]}})",
        command, slice.completion, slice.segment, slice.segments, slice.first_op, slice.last_op,
        slice.logical_bytes.count(), request.is_primitive, fmt::join(request.pending_inputs, ",")));
  }

  void operator()(const WaitStep& step) {
    line(fmt::format(R"({{"step":"wait","completions":[{}]}})", fmt::join(step.completions, ",")));
  }

  void operator()(const OverheadCmd& command) {
    std::string fields = wire_fields(command);
    fields.pop_back();
    line(fmt::format(R"({{"step":"overhead",{}}})", fields));
  }

 private:
  [[noreturn]] static void refuse(std::size_t launch, std::size_t pe, const std::string& problem) {
    throw std::invalid_argument(fmt::format("the recording of launch {}, PE {}: {}", launch, pe, problem));
  }

  static std::string config_of(const CommandStream& stream) {
    try {
      return nlohmann::ordered_json::parse(stream.header_json).dump();
    } catch (const nlohmann::json::parse_error& error) {
      throw std::invalid_argument(fmt::format(
          "the header of a command stream is no JSON from byte {} on; give one JSON value", error.byte));
    }
  }

  /// The fields that carry a command, each with its comma, after the lines of the tensors that are new in it.
  std::string wire_fields(const PeCommand& command) {
    const std::size_t known = table_.size();
    const std::vector<std::byte> wire = encode(command, table_);
    for (std::size_t index = known; index < table_.size(); ++index) tensor(index, table_.entries()[index]);
    return fmt::format(R"("wire":"{}","command":{},)", hex_of(wire), framing_of(command).completion);
  }

  void tensor(std::size_t index, const TensorHandle& entry) {
    line(fmt::format(R"({{"tensor":{},"space":"{}","address":{},"dtype":"{}","shape":[{}],"strides":[{}]}})",
                     index, name_of(entry.space), entry.address, name_of(entry.dtype),
                     fmt::join(entry.shape, ","), fmt::join(entry.strides, ",")));
  }

  void line(const std::string& text) { out_ << text << '\n'; }

  std::ostream& out_;
  TensorTable table_;
};

}  // namespace

void save_command_stream(const CommandStream& stream, std::ostream& out) {
  StreamWriter writer(out);
  writer.header(stream);
  for (std::size_t launch = 0; launch < stream.launches.size(); ++launch) {
    const std::vector<PeRecording>& pes = stream.launches[launch].pes;
    for (std::size_t pe = 0; pe < pes.size(); ++pe) writer.recording(launch, pe, pes[pe]);
  }
}

}  // namespace petal
