// SPDX-License-Identifier: Apache-2.0
//
// RingImage: what a fuzzer's input means: a tensor table and the slots of a ring, as software would have
// written them.
//
//     0  u8   what the PE has: bits DMA 0, FETCH_STORE 1, GEMM 2, MATH 3, math_head_streaming 4
//     1  u8   entries of the tensor table
//     2  80 bytes for each of them
//     .. the slots: each a header of 16 bytes and as many command bytes as its length says, or as are left
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "petal/command/command_limits.hpp"
#include "petal/command/tensor_table.hpp"
#include "petal/command/wire_buffer.hpp"

namespace petal::fuzz {

class RingImage {
 public:
  /// Reads an input. It may be anything; what is missing at its end is not there.
  explicit RingImage(ByteView input);

  const CommandLimits& limits() const { return limits_; }
  std::size_t table_entries() const { return table_.size; }
  /// The bytes of a table entry. Precondition: there is such an entry.
  ByteView table_entry(std::size_t index) const;

  /// A slot's bytes.
  struct Slot {
    ByteView header;
    ByteView command;
  };
  /// Takes the next slot; false if no whole header is left.
  bool next_slot(Slot& slot);

 private:
  ByteView take(std::size_t bytes);

  ByteView left_;
  CommandLimits limits_;
  struct {
    const std::byte* first;
    std::size_t size;
  } table_{nullptr, 0};
};

/// Writes an input that holds commands a driver would write.
class RingImageWriter {
 public:
  /// A PE with all engines; it may stream MATH heads.
  explicit RingImageWriter(bool streaming) : streaming_(streaming) {}

  /// Adds a command, cut into slices of `lengths` bytes; whole if there are none.
  void add(const PeCommand& command, std::vector<std::size_t> lengths = {});
  /// Precondition: the commands name at most 255 tensors.
  std::vector<std::byte> take() const;

 private:
  bool streaming_;
  TensorTable table_;
  std::vector<std::byte> slots_;
  std::uint32_t next_number_ = 0;
};

}  // namespace petal::fuzz
