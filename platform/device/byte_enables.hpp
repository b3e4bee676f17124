// SPDX-License-Identifier: Apache-2.0
//
// ByteEnables: the byte enables of a payload, read without its pitfalls: none at all, or a pattern that is
// repeated. Needs no kernel.
#pragma once

#include <algorithm>
#include <cstddef>
#include <systemc>
#include <tlm>

namespace petal {

class ByteEnables {
 public:
  /// `payload` must outlive this.
  explicit ByteEnables(const tlm::tlm_generic_payload& payload)
      : pattern_(payload.get_byte_enable_ptr()), length_(payload.get_byte_enable_length()) {}

  bool used() const { return pattern_ != nullptr; }

  /// False if the pattern that the first `bytes` bytes use is empty or has other values than the standard's
  /// two.
  bool valid_for(std::size_t bytes) const {
    if (!used()) return true;
    return length_ != 0 &&
           std::all_of(pattern_, pattern_ + std::min<std::size_t>(bytes, length_), [](unsigned char enable) {
             return enable == TLM_BYTE_ENABLED || enable == TLM_BYTE_DISABLED;
           });
  }

  /// Precondition: valid_for(byte + 1).
  bool enabled(std::size_t byte) const { return !used() || pattern_[byte % length_] == TLM_BYTE_ENABLED; }

 private:
  const unsigned char* pattern_;
  std::size_t length_;
};

}  // namespace petal
