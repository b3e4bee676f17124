// SPDX-License-Identifier: Apache-2.0
//
// Payload: a generic payload on the stack with its own data, as an initiator without memory manager makes it.
#pragma once

#include <cstdint>
#include <tlm>
#include <utility>
#include <vector>

namespace petal {

struct Payload {
  Payload(tlm::tlm_command command, std::uint64_t address, std::vector<unsigned char> bytes)
      : data(std::move(bytes)) {
    generic.set_command(command);
    generic.set_address(address);
    generic.set_data_ptr(data.data());
    generic.set_data_length(static_cast<unsigned int>(data.size()));
    generic.set_streaming_width(static_cast<unsigned int>(data.size()));
    generic.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }

  void set_byte_enables(std::vector<unsigned char> pattern) {
    enables = std::move(pattern);
    generic.set_byte_enable_ptr(enables.data());
    generic.set_byte_enable_length(static_cast<unsigned int>(enables.size()));
  }

  std::vector<unsigned char> data;
  std::vector<unsigned char> enables;
  tlm::tlm_generic_payload generic;
};

/// A read of `bytes` bytes, which are 0xAA before.
inline Payload read_payload(std::uint64_t address, std::size_t bytes) {
  return {tlm::TLM_READ_COMMAND, address, std::vector<unsigned char>(bytes, 0xAA)};
}

inline Payload write_payload(std::uint64_t address, std::vector<unsigned char> bytes) {
  return {tlm::TLM_WRITE_COMMAND, address, std::move(bytes)};
}

}  // namespace petal
