// SPDX-License-Identifier: Apache-2.0
//
// RingEntry: the header of a slot of the command ring in memory: 16 bytes, little endian, in front of the
// command bytes of one slice.
//
//      0  u32  sequence: the entry's number, as RING_HEAD counts
//      4  u32  control: bits 15:0 length of the command bytes, bit 16 FIRST, bit 17 LAST, bit 31 VALID,
//              others 0
//      8  u32  completion id of the slice, 24 bits
//     12  u32  0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "petal/command/completion_status.hpp"
#include "petal/command/units.hpp"
#include "petal/command/wire_buffer.hpp"

namespace petal {

inline constexpr std::size_t kRingHeaderBytes = 16;

struct RingEntry {
  std::uint32_t number = 0;      ///< counts entries modulo 2^32
  std::uint16_t length = 0;      ///< bytes of the slice, behind the header
  bool first = false;            ///< the command's first slice
  bool last = false;             ///< the command's last slice
  std::uint32_t completion = 0;  ///< the slice's id, modulo 2^24

  friend bool operator==(const RingEntry& a, const RingEntry& b) {
    return a.number == b.number && a.length == b.length && a.first == b.first && a.last == b.last &&
           a.completion == b.completion;
  }
};

/// The header of a valid slot. Precondition: the completion id has 24 bits.
std::vector<std::byte> encode_ring_entry(const RingEntry& entry);

/// What a slot is read against.
struct RingSlotLimits {
  std::uint32_t number = 0;  ///< of the entry that should lie in the slot
  Bytes stride{0};           ///< of the slot, header included
  Bytes cap{0};              ///< the most bytes of a slice: CAP_COMMAND_BYTES
};

/// A slot's header as read.
struct ReadRingEntry {
  /// ok; descriptor_not_valid: the slot is not marked valid or holds an entry of another number, so that
  /// nothing else in it means anything; descriptor_malformed: it is the entry, but not well formed.
  CompletionStatus status = CompletionStatus::ok;
  std::string problem;  ///< one line, unless the status is ok
  RingEntry entry;      ///< as far as the status says that it means something
};

/// Reads a header. Its bytes may be anything. Precondition: they are kRingHeaderBytes.
ReadRingEntry read_ring_entry(ByteView header, const RingSlotLimits& limits);

}  // namespace petal
