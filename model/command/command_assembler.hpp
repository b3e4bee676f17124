// SPDX-License-Identifier: Apache-2.0
//
// CommandAssembler: makes commands of the entries of a ring. Entries are given in order; a command is one of
// them, or several that hold slices of a composite (SPEC 2.1, 11.2).
//
// It works in two steps, because the tensors that a command names lie in a table in memory and can be read
// only once its bytes are there:
//
//     take(entry) ... take(last entry)     complete() is true, tensors() says which table entries to read
//     assemble(resolver)                   the command's slices, ready to issue
//
// Entries come from software that is not trusted. Whatever is wrong with one is the fault of its whole
// command: all of the command's entries are reported failed, and the next command starts with the next
// entry that is marked FIRST. Memory is bounded by kMaxBytes and kMaxSlices.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "petal/command/command_sink.hpp"
#include "petal/command/completion_status.hpp"
#include "petal/command/op_ranges.hpp"
#include "petal/command/ring_entry.hpp"
#include "petal/command/tensor_resolver.hpp"

namespace petal {

/// How the device and its software call one entry.
struct EntryName {
  CompletionId completion = kNoCompletion;  ///< the device's count of entries, from 1
  std::uint32_t tag = 0;                    ///< the entry's completion id, modulo 2^24

  friend bool operator==(const EntryName& a, const EntryName& b) {
    return a.completion == b.completion && a.tag == b.tag;
  }
};

/// Entries of one command that end without having been issued.
struct CommandFault {
  CompletionStatus status = CompletionStatus::descriptor_malformed;
  std::string problem;  ///< one line
  std::vector<EntryName> entries;
};

/// A command that can be issued: `entries[i]` is the entry of `slices[i]`.
struct AssembledCommand {
  std::vector<CommandSlice> slices;
  std::vector<EntryName> entries;
};

class CommandAssembler {
 public:
  static constexpr std::size_t kMaxBytes = 65536;
  static constexpr std::size_t kMaxSlices = 256;

  /// Takes the next entry, whose header has been read as ok, and its `bytes`. `completion` is the device's
  /// number for it: one more than the entry's before. Returns what has failed by it: nothing, its command,
  /// or, if it is FIRST while a command is not whole, that command and perhaps its own. Precondition: not
  /// complete().
  std::vector<CommandFault> take(CompletionId completion, const RingEntry& entry, ByteView bytes);

  /// Takes an entry that is none: its header is malformed, say. It fails, and with it the command it would
  /// have been part of. Precondition: not complete().
  CommandFault reject(CompletionId completion, const RingEntry& entry, CompletionStatus status,
                      const std::string& problem);

  /// True once the last slice of a command has been taken, until it is assembled or dropped.
  bool complete() const { return complete_; }
  /// True if entries have been taken whose command is neither assembled nor has failed.
  bool holds_entries() const { return !entries_.empty(); }

  /// The indices of the tensor table's entries that the command names, ascending. Precondition: complete().
  const std::vector<std::uint32_t>& tensors() const { return tensors_; }

  /// The command, with the tensors that `tensors` gives; the assembler is empty afterwards. The fault is for
  /// references that `tensors` refuses. Whether the command makes sense is not asked: see find_limit_error.
  /// Precondition: complete().
  std::variant<AssembledCommand, CommandFault> assemble(const TensorResolver& tensors);

  /// Gives up the command that the entries taken are of, because its tensors cannot be read, say. The
  /// assembler is empty afterwards. Precondition: holds_entries().
  CommandFault drop(CompletionStatus status, const std::string& problem);

  /// Forgets everything, as a reset does.
  void clear();

 private:
  void add(CompletionId completion, const RingEntry& entry, ByteView bytes);
  std::optional<std::string> find_order_error(const RingEntry& entry, ByteView bytes) const;
  /// Once the last slice is there. Returns what is wrong with the command, if anything.
  std::optional<std::string> finish();

  std::vector<EntryName> entries_;
  std::vector<Bytes> lengths_;  // of the entries' slices
  std::vector<std::byte> bytes_;
  bool complete_ = false;
  // Of a complete command:
  std::vector<OpRange> ranges_;
  std::vector<std::uint32_t> tensors_;
};

}  // namespace petal
