// SPDX-License-Identifier: Apache-2.0
//
// TcmWindow: the TCM as software sees it behind the device's target socket. Needs no kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tlm>

#include "petal/memory/byte_memory.hpp"

namespace petal {

class TcmWindow {
 public:
  /// The first `bytes` bytes of `memory`, at `base` of the socket's address space. `memory` may be null: the
  /// window then is empty. Throws ConfigError if the memory has fewer bytes.
  TcmWindow(std::uint64_t base, std::uint64_t bytes, ByteMemory* memory);

  /// Addresses [base(), base() + bytes()).
  std::uint64_t base() const { return base_; }
  std::uint64_t bytes() const { return bytes_; }
  /// Whether the access lies in the window from its first byte to its last.
  bool contains(std::uint64_t address, std::uint64_t bytes) const;

  /// Moves the enabled bytes. BURST_ERROR: no bytes, or a streaming width below the length. Precondition:
  /// contains() and a read or a write.
  tlm::tlm_response_status access(const tlm::tlm_generic_payload& payload);
  /// Debug transport: moves all bytes, whatever is enabled, and returns their number. Precondition as above.
  unsigned int debug_access(const tlm::tlm_generic_payload& payload);

  /// Where the window lies in host memory, from now on for good. Null if the memory cannot give that away.
  std::byte* direct();

 private:
  void move(const tlm::tlm_generic_payload& payload, std::size_t from, std::size_t to);

  const std::uint64_t base_;
  const std::uint64_t bytes_;
  ByteMemory* const memory_;
};

}  // namespace petal
