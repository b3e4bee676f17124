// SPDX-License-Identifier: Apache-2.0
//
// Slots and a tensor table of any bytes, read as a device reads them: headers, assembly, table entries,
// decoding, limits. Whatever arrives is a command or a fault; a command is what its bytes say, and within
// what it names.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "command/command_equality.hpp"
#include "petal/command/command_assembler.hpp"
#include "petal/command/command_rules.hpp"
#include "petal/command/error.hpp"
#include "petal/command/fetched_tensors.hpp"
#include "petal/command/hazard_ranges.hpp"
#include "petal/command/recording_checker.hpp"
#include "petal/command/tensor_entry.hpp"
#include "petal/command/wire_codec.hpp"
#include "ring_image.hpp"

namespace petal::fuzz {
namespace {

constexpr Bytes kStride(8192);
constexpr Bytes kCap(4096);

[[noreturn]] void broken(const char* rule, const std::string& detail = "") {
  std::fprintf(stderr, "broken: %s %s\n", rule, detail.c_str());
  std::abort();
}

void require(bool condition, const char* rule) {
  if (!condition) broken(rule);
}

void require_one_line(const std::string& text) {
  if (text.empty() || text.find('\n') != std::string::npos) broken("a problem is one line:", text);
}

/// Takes note that each entry is reported once, in order.
class EntryReports {
 public:
  void add(const std::vector<EntryName>& entries) {
    for (const EntryName& entry : entries) require(entry.completion == ++reported_, "entries end in order");
  }
  void add(const CommandFault& fault) {
    require(fault.status != CompletionStatus::ok, "a fault has a cause");
    require_one_line(fault.problem);
    add(fault.entries);
  }
  CompletionId reported() const { return reported_; }

 private:
  CompletionId reported_ = 0;
};

void check_tensor(const TensorHandle& tensor, ByteView bytes) {
  const std::vector<std::byte> again = encode_tensor_entry(tensor);
  require(std::equal(again.begin(), again.end(), bytes.data), "an entry is what its tensor encodes to");
  require(!find_tensor_error(tensor), "an entry is a tensor that memory can hold");
  require(tensor.range().end >= tensor.range().begin, "a range does not wrap");
}

/// The table entries that the command names, or why they cannot be had.
std::optional<std::string> fetch_tensors(const RingImage& image, const std::vector<std::uint32_t>& indices,
                                         FetchedTensors& tensors) {
  require(std::is_sorted(indices.begin(), indices.end()), "tensors are named in order");
  require(std::adjacent_find(indices.begin(), indices.end()) == indices.end(), "tensors are named once");
  for (const std::uint32_t index : indices) {
    if (index >= image.table_entries()) return "there is no such table entry";
    try {
      const TensorHandle tensor = decode_tensor_entry(image.table_entry(index));
      check_tensor(tensor, image.table_entry(index));
      tensors.set(index, tensor);
    } catch (const DecodeError& error) {
      return error.what();
    }
  }
  return std::nullopt;
}

void check_round_trip(const PeCommand& command) {
  TensorTable table;
  const std::vector<std::byte> bytes = encode(command, table);
  require(bytes.size() == logical_bytes(command).count(), "a command has its logical bytes");
  require(test::same_command(decode(bytes, table), test::with_wire_completion(command)),
          "what was decoded decodes again from what it encodes to");
}

void check_slices(const AssembledCommand& assembled) {
  require(assembled.slices.size() == assembled.entries.size(), "a slice for each entry");
  RecordingChecker checker;
  const bool is_overhead = std::holds_alternative<OverheadCmd>(*assembled.slices.front().command);
  for (const CommandSlice& slice : assembled.slices) {
    require(slice.logical_bytes == bytes_of_slice(slice), "a slice has the bytes of its ops");
    hazard_ranges(slice);
    IssueRequest request;
    request.slice = slice;
    if (is_overhead || find_command_error(*slice.command)) continue;
    const auto problem = checker.find_error(request);
    if (problem) broken("a recording could hold the slices:", *problem);
  }
  require(!checker.find_end_error(), "no slice is missing");
}

/// What an accepted command may touch lies within the PE.
void check_ranges(const AssembledCommand& assembled, const CommandLimits& limits) {
  for (const CommandSlice& slice : assembled.slices) {
    const HazardRanges ranges = hazard_ranges(slice);
    for (const auto* list : {&ranges.reads, &ranges.writes})
      for (const ByteRange& range : *list)
        require(range.space == Space::hbm || range.end <= limits.arena.count(), "TCM ends with the arena");
  }
}

void check_command(const AssembledCommand& assembled, const CommandLimits& limits) {
  const PeCommand& command = *assembled.slices.front().command;
  check_round_trip(command);
  check_slices(assembled);
  const auto problem = find_limit_error(command, limits);
  if (problem)
    require_one_line(*problem);
  else
    check_ranges(assembled, limits);
}

/// The command that the assembler holds complete: assembled, or failed.
void finish_command(const RingImage& image, CommandAssembler& assembler, EntryReports& reports) {
  FetchedTensors tensors;
  if (const auto problem = fetch_tensors(image, assembler.tensors(), tensors))
    return reports.add(assembler.drop(CompletionStatus::descriptor_malformed, *problem));
  const auto assembled = assembler.assemble(tensors);
  if (const auto* const fault = std::get_if<CommandFault>(&assembled)) return reports.add(*fault);
  check_command(std::get<AssembledCommand>(assembled), image.limits());
  reports.add(std::get<AssembledCommand>(assembled).entries);
}

void run(ByteView input) {
  RingImage image(input);
  CommandAssembler assembler;
  EntryReports reports;
  CompletionId fetched = 0;
  RingImage::Slot slot;
  while (image.next_slot(slot)) {
    const ReadRingEntry read =
        read_ring_entry(slot.header, {static_cast<std::uint32_t>(fetched), kStride, kCap});
    if (read.status == CompletionStatus::descriptor_not_valid) break;  // stops the ring
    ++fetched;
    if (read.status != CompletionStatus::ok) {
      reports.add(assembler.reject(fetched, read.entry, read.status, read.problem));
      continue;
    }
    require(read.entry.completion < kWireCompletionModulus, "an id has 24 bits");
    require(read.entry.length >= 1 && read.entry.length <= kCap.count(), "a length is within the cap");
    for (const CommandFault& fault : assembler.take(fetched, read.entry, slot.command)) reports.add(fault);
    if (assembler.complete()) finish_command(image, assembler, reports);
  }
  if (assembler.holds_entries())
    reports.add(assembler.drop(CompletionStatus::descriptor_malformed, "the ring ends"));
  require(reports.reported() == fetched, "every entry ends");
}

}  // namespace
}  // namespace petal::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  petal::fuzz::run({reinterpret_cast<const std::byte*>(data), size});
  return 0;
}
