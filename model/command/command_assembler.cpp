// SPDX-License-Identifier: Apache-2.0
#include "petal/command/command_assembler.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "petal/command/error.hpp"
#include "petal/command/tensor_index_collector.hpp"
#include "petal/command/wire_codec.hpp"

namespace petal {

std::vector<CommandFault> CommandAssembler::take(CompletionId completion, const RingEntry& entry,
                                                 ByteView bytes) {
  std::vector<CommandFault> faults;
  if (entry.first && holds_entries())
    faults.push_back(
        drop(CompletionStatus::descriptor_malformed,
             fmt::format("entry {} starts a command before the one before it has ended; mark its last entry "
                         "LAST",
                         entry.number)));
  std::optional<std::string> problem = find_order_error(entry, bytes);
  add(completion, entry, bytes);
  if (!problem && entry.last) problem = finish();
  if (problem) faults.push_back(drop(CompletionStatus::descriptor_malformed, *problem));
  return faults;
}

CommandFault CommandAssembler::reject(CompletionId completion, const RingEntry& entry,
                                      CompletionStatus status, const std::string& problem) {
  entries_.push_back({completion, entry.completion});
  return drop(status, problem);
}

std::optional<std::string> CommandAssembler::find_order_error(const RingEntry& entry, ByteView bytes) const {
  if (!holds_entries() && !entry.first)
    return fmt::format(
        "entry {} continues a command, but none has been started; mark the first entry of a command FIRST",
        entry.number);
  if (bytes_.size() + bytes.size > kMaxBytes)
    return fmt::format("a command of more than {} bytes; use a smaller one", kMaxBytes);
  if (!holds_entries()) return std::nullopt;
  const std::uint64_t expected = (entries_.back().tag + CompletionId{1}) % kWireCompletionModulus;
  if (entry.completion != expected)
    return fmt::format("entry {} has completion id {}; that of its command's next slice is {}", entry.number,
                       entry.completion, expected);
  if (entries_.size() == kMaxSlices)
    return fmt::format("a command of more than {} slices; use fewer", kMaxSlices);
  return std::nullopt;
}

void CommandAssembler::add(CompletionId completion, const RingEntry& entry, ByteView bytes) {
  entries_.push_back({completion, entry.completion});
  lengths_.emplace_back(bytes.size);
  bytes_.insert(bytes_.end(), bytes.data, bytes.data + bytes.size);
}

std::optional<std::string> CommandAssembler::finish() {
  try {
    TensorIndexCollector collector;
    const PeCommand command = decode(bytes_, collector);
    const CompletionId framed = framing_of(command).completion;
    if (framed != entries_.front().tag)
      return fmt::format("the command's framing has completion id {}, but its first entry has {}", framed,
                         entries_.front().tag);
    ranges_ = op_ranges(command, lengths_);
    tensors_ = collector.take();
    complete_ = true;
    return std::nullopt;
  } catch (const DecodeError& error) {
    return error.what();
  }
}

std::variant<AssembledCommand, CommandFault> CommandAssembler::assemble(const TensorResolver& tensors) {
  try {
    PeCommand decoded = decode(bytes_, tensors);
    framing_of(decoded).completion = entries_.front().completion;
    AssembledCommand assembled;
    const auto command = std::make_shared<const PeCommand>(std::move(decoded));
    for (std::size_t index = 0; index < entries_.size(); ++index) {
      CommandSlice& slice = assembled.slices.emplace_back();
      slice.command = command;
      slice.completion = entries_[index].completion;
      slice.logical_bytes = lengths_[index];
      slice.first_op = ranges_[index].first;
      slice.last_op = ranges_[index].last;
      slice.segment = static_cast<std::uint32_t>(index);
      slice.segments = static_cast<std::uint32_t>(entries_.size());
    }
    assembled.entries = entries_;
    clear();
    return assembled;
  } catch (const DecodeError& error) {
    return drop(CompletionStatus::descriptor_malformed, error.what());
  }
}

CommandFault CommandAssembler::drop(CompletionStatus status, const std::string& problem) {
  CommandFault fault{status, problem, std::move(entries_)};
  clear();
  return fault;
}

void CommandAssembler::clear() {
  entries_.clear();
  lengths_.clear();
  bytes_.clear();
  ranges_.clear();
  tensors_.clear();
  complete_ = false;
}

}  // namespace petal
