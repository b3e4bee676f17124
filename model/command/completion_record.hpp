// SPDX-License-Identifier: Apache-2.0
//
// CompletionRecord: what a device writes to the completion ring in memory for each entry of the command ring:
// 16 bytes, little endian.
//
//      0  u32  the record's number + 1, modulo 2^32; numbers count from 0
//      4  u32  bits 23:0 completion id of the entry, bits 31:24 status
//      8  u64  faulting address, 0 if there is none
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "petal/command/completion_status.hpp"
#include "petal/command/wire_buffer.hpp"

namespace petal {

inline constexpr std::size_t kCompletionRecordBytes = 16;

struct CompletionRecord {
  std::uint32_t number = 0;      ///< of the record, modulo 2^32, as CQ_TAIL counts
  std::uint32_t completion = 0;  ///< the entry's id, modulo 2^24
  CompletionStatus status = CompletionStatus::ok;
  std::uint64_t fault_address = 0;  ///< 0 if there is none

  friend bool operator==(const CompletionRecord& a, const CompletionRecord& b) {
    return a.number == b.number && a.completion == b.completion && a.status == b.status &&
           a.fault_address == b.fault_address;
  }
};

/// Precondition: the completion id has 24 bits.
std::vector<std::byte> encode_completion_record(const CompletionRecord& record);

/// The inverse. Throws DecodeError for another number of bytes than a record has and for an unknown status.
CompletionRecord decode_completion_record(ByteView bytes);

}  // namespace petal
