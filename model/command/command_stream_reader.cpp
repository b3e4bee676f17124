// SPDX-License-Identifier: Apache-2.0
#include "petal/command/command_stream_reader.hpp"

#include <fmt/format.h>

#include <istream>

#include "petal/command/command_stream_writer.hpp"
#include "petal/command/error.hpp"
#include "petal/command/json_fields.hpp"
#include "petal/command/recording_checker.hpp"
#include "petal/command/tensor_table.hpp"
#include "petal/command/wire_codec.hpp"

namespace petal {
namespace {

Space space_of(JsonFields& fields) {
  const std::string name = fields.text("space");
  for (const Space space : {Space::hbm, Space::tcm})
    if (name == name_of(space)) return space;
  throw DecodeError(fmt::format("field 'space' is '{}'; it must be hbm or tcm", name));
}

DType dtype_of(JsonFields& fields) {
  const std::string name = fields.text("dtype");
  if (const auto dtype = dtype_named(name)) return *dtype;
  throw DecodeError(
      fmt::format("field 'dtype' is '{}', which is no dtype; use one such as f16 or f32", name));
}

Dims dims_of(JsonFields& fields, const char* key) {
  Dims dims;
  for (const std::uint64_t value : fields.numbers(key)) {
    if (dims.rank() == Dims::kMaxRank)
      throw DecodeError(fmt::format("field '{}' has more than {} entries; a tensor has at most {} axes", key,
                                    Dims::kMaxRank, Dims::kMaxRank));
    dims.push_back(value);
  }
  return dims;
}

/// Reads the lines one by one, all of them of the kinds the format lists.
class StreamReader {
 public:
  void line(const std::string& text) {
    JsonFields fields(text);
    if (!has_header_)
      header(fields);
    else if (fields.has("tensor"))
      tensor(fields);
    else if (fields.has("step"))
      step(fields);
    else
      section(fields);
    fields.expect_no_more();
  }

  CommandStream finish() {
    if (!has_header_) throw DecodeError("the file is empty; record a run with --record");
    end_section();
    if (launch_ != launches_)
      throw DecodeError(
          fmt::format("the file ends before launch {}, PE {} of {} launches and {} PEs; it was cut short",
                      launch_, pe_, launches_, pes_));
    return std::move(stream_);
  }

 private:
  void header(JsonFields& fields) {
    if (!fields.has("format") || fields.text("format") != kCommandStreamFormat)
      throw DecodeError(
          fmt::format("the first line does not say \"format\":\"{}\"; give a file that --record wrote",
                      kCommandStreamFormat));
    const std::uint64_t schema = fields.number("schema");
    if (schema != kCommandStreamSchema)
      throw DecodeError(fmt::format("field 'schema' is {}, but this program reads {}; record the run again",
                                    schema, kCommandStreamSchema));
    launches_ = fields.number("launches");
    pes_ = fields.number("pes");
    if (launches_ != 0 && pes_ == 0) throw DecodeError("field 'pes' is 0, but a launch has at least one PE");
    stream_.header_json = fields.json("config");
    has_header_ = true;
  }

  void section(JsonFields& fields) {
    end_section();
    const std::uint64_t launch = fields.number("launch");
    const std::uint64_t pe = fields.number("pe");
    if (launch_ == launches_)
      throw DecodeError(
          fmt::format("launch {}, PE {} follows the last of {} launches", launch, pe, launches_));
    if (launch != launch_ || pe != pe_)
      throw DecodeError(
          fmt::format("launch {}, PE {} stands where launch {}, PE {} belongs", launch, pe, launch_, pe_));
    if (pe == 0) stream_.launches.emplace_back();
    stream_.launches.back().pes.emplace_back();
    checker_ = RecordingChecker();
    command_.reset();
    steps_left_ = fields.number("steps");
    in_section_ = true;
  }

  /// Closes the section that is open, if any, and names the next.
  void end_section() {
    if (!in_section_) return;
    if (steps_left_ != 0)
      throw DecodeError(fmt::format("launch {}, PE {} ends {} steps early; the file was cut short", launch_,
                                    pe_, steps_left_));
    if (const auto problem = checker_.find_end_error()) throw DecodeError(*problem);
    in_section_ = false;
    if (++pe_ == pes_) {
      pe_ = 0;
      ++launch_;
    }
  }

  void tensor(JsonFields& fields) {
    TensorHandle entry;
    if (const std::uint64_t index = fields.number("tensor"); index != table_.size())
      throw DecodeError(fmt::format("field 'tensor' is {}, but the next is {}", index, table_.size()));
    entry.space = space_of(fields);
    entry.address = fields.number("address");
    entry.dtype = dtype_of(fields);
    entry.shape = dims_of(fields, "shape");
    entry.strides = dims_of(fields, "strides");
    table_.append(entry);
  }

  void step(JsonFields& fields) {
    if (steps_left_ == 0)
      throw DecodeError("a step stands where none is due; a PE has as many as its line says");
    RecordedStep step = step_of(fields);
    if (const auto problem = checker_.find_error(step)) throw DecodeError(*problem);
    stream_.launches.back().pes.back().steps.push_back(std::move(step));
    --steps_left_;
  }

  RecordedStep step_of(JsonFields& fields) {
    const std::string kind = fields.text("step");
    if (kind == "issue") return issue(fields);
    if (kind == "wait") return WaitStep{fields.numbers("completions")};
    if (kind != "overhead")
      throw DecodeError(fmt::format("field 'step' is '{}'; it must be issue, wait or overhead", kind));
    const PeCommand command = command_of(fields);
    if (const auto* overhead = std::get_if<OverheadCmd>(&command)) return *overhead;
    throw DecodeError(
        fmt::format("an overhead step carries a {}; it must be an OverheadCmd", kind_name(command)));
  }

  IssueRequest issue(JsonFields& fields) {
    IssueRequest request;
    CommandSlice& slice = request.slice;
    slice.segment = fields.number32("segment");
    if (slice.segment == 0) command_ = std::make_shared<const PeCommand>(command_of(fields));
    slice.command = command_;
    slice.segments = fields.number32("segments");
    slice.completion = fields.number("completion");
    slice.first_op = fields.number32("first_op");
    slice.last_op = fields.number32("last_op");
    slice.logical_bytes = Bytes(fields.number("bytes"));
    request.is_primitive = fields.boolean("primitive");
    request.pending_inputs = fields.numbers("pending");
    return request;
  }

  PeCommand command_of(JsonFields& fields) {
    PeCommand command = decode(fields.hex("wire"), table_);
    CompletionId& completion = framing_of(command).completion;
    const CompletionId full = fields.number("command");
    if (full % kWireCompletionModulus != completion)
      throw DecodeError(
          fmt::format("field 'command' is {}, but the wire's completion is {}: they must agree modulo {}",
                      full, completion, kWireCompletionModulus));
    completion = full;
    return command;
  }

  CommandStream stream_;
  TensorTable table_;
  bool has_header_ = false;
  std::uint64_t launches_ = 0;
  std::uint64_t pes_ = 0;

  std::uint64_t launch_ = 0;  ///< of the open section, else of the next
  std::uint64_t pe_ = 0;
  bool in_section_ = false;
  std::uint64_t steps_left_ = 0;
  std::shared_ptr<const PeCommand> command_;  ///< of the last issue
  RecordingChecker checker_;
};

}  // namespace

CommandStream load_command_stream(std::istream& in, const std::string& name) {
  StreamReader reader;
  std::size_t number = 0;
  try {
    std::string text;
    while (std::getline(in, text)) {
      ++number;
      reader.line(text);
    }
    return reader.finish();
  } catch (const DecodeError& error) {
    throw DecodeError(fmt::format("{}:{}: {}", name, number, error.what()));
  }
}

}  // namespace petal
