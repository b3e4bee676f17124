// SPDX-License-Identifier: Apache-2.0
#include "petal/vp/finisher.hpp"

#include <algorithm>
#include <cstring>

#include "petal/vp/payload_copy.hpp"

namespace petal::vp {
namespace {

constexpr std::uint32_t kPassed = 0x5555;
constexpr std::uint32_t kFailed = 0x3333;

}  // namespace

Finisher::Finisher(const sc_core::sc_module_name& name) : sc_module(name) {
  socket.register_b_transport(this, &Finisher::b_transport);
}

void Finisher::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& /*delay*/) {
  if (payload.get_address() != 0) return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  if (touched_bytes(payload) != sizeof(std::uint32_t) || payload.get_data_length() != sizeof(std::uint32_t) ||
      payload.get_byte_enable_ptr() != nullptr)
    return payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
  std::uint32_t value = 0;
  if (payload.is_read()) std::memcpy(payload.get_data_ptr(), &value, sizeof value);
  if (payload.is_write()) {
    std::memcpy(&value, payload.get_data_ptr(), sizeof value);
    finish(value);
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void Finisher::finish(std::uint32_t value) {
  if (exit_code_) return;
  if ((value & 0xFFFF) == kPassed) exit_code_ = 0;
  if ((value & 0xFFFF) == kFailed) exit_code_ = std::max<std::uint32_t>(1, value >> 16);
  if (exit_code_) sc_core::sc_stop();
}

}  // namespace petal::vp
