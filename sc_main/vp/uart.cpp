// SPDX-License-Identifier: Apache-2.0
#include "petal/vp/uart.hpp"

#include <algorithm>

#include "petal/vp/payload_copy.hpp"

namespace petal::vp {
namespace {

constexpr std::uint64_t kData = 0x0;
constexpr std::uint64_t kStatus = 0x4;

}  // namespace

Uart::Uart(const sc_core::sc_module_name& name, std::ostream& out) : sc_module(name), out_(out) {
  socket.register_b_transport(this, &Uart::b_transport);
}

Uart::~Uart() {
  flush();
}

void Uart::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& /*delay*/) {
  payload.set_response_status(access(payload));
}

tlm::tlm_response_status Uart::access(tlm::tlm_generic_payload& payload) {
  const std::uint64_t offset = payload.get_address();
  const std::uint64_t length = payload.get_data_length();
  if (offset != kData && offset != kStatus) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (touched_bytes(payload) != length || (length != 4 && !(length == 1 && offset == kData)))
    return tlm::TLM_BURST_ERROR_RESPONSE;
  if (payload.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (payload.is_write() && offset == kData) send(static_cast<char>(payload.get_data_ptr()[0]));
  if (payload.is_read()) {
    std::fill_n(payload.get_data_ptr(), length, static_cast<unsigned char>(0));
    if (offset == kStatus) payload.get_data_ptr()[0] = 1;
  }
  return tlm::TLM_OK_RESPONSE;
}

void Uart::send(char character) {
  line_.push_back(character);
  if (character == '\n') flush();
}

void Uart::flush() {
  out_ << line_ << std::flush;
  line_.clear();
}

}  // namespace petal::vp
