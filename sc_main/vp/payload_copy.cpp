// SPDX-License-Identifier: Apache-2.0
#include "petal/vp/payload_copy.hpp"

#include <algorithm>
#include <cstring>

namespace petal::vp {
namespace {

void copy_bytes(bool read, unsigned char* data, std::byte* memory, std::size_t bytes) {
  if (bytes == 0) return;
  if (read)
    std::memcpy(data, memory, bytes);
  else
    std::memcpy(memory, data, bytes);
}

}  // namespace

std::uint64_t touched_bytes(const tlm::tlm_generic_payload& payload) {
  return std::min(payload.get_data_length(), payload.get_streaming_width());
}

void copy_payload(tlm::tlm_generic_payload& payload, std::byte* memory) {
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return;
  const bool read = payload.is_read();
  const std::size_t length = payload.get_data_length();
  const std::size_t width = payload.get_streaming_width();
  const unsigned char* enables = payload.get_byte_enable_ptr();
  unsigned char* data = payload.get_data_ptr();
  if (enables == nullptr && width >= length) return copy_bytes(read, data, memory, length);
  for (std::size_t index = 0; index < length; ++index) {
    if (enables != nullptr && enables[index % payload.get_byte_enable_length()] != TLM_BYTE_ENABLED) continue;
    copy_bytes(read, data + index, memory + index % width, 1);
  }
}

}  // namespace petal::vp
