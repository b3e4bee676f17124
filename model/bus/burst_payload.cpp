// SPDX-License-Identifier: Apache-2.0
#include "petal/bus/burst_payload.hpp"

#include <cstring>

namespace petal {

BurstPayload::BurstPayload(tlm::tlm_mm_interface& pool, std::uint64_t burst_bytes)
    : buffer_(burst_bytes), all_disabled_(burst_bytes, TLM_BYTE_DISABLED) {
  set_mm(&pool);
}

void BurstPayload::request(tlm::tlm_command command, const Burst& burst, const std::byte* data) {
  burst_ = burst;
  taken = answer_comes = owes_end_response = false;
  if (data != nullptr) std::memcpy(buffer_.data(), data, burst.bytes);
  const auto length = static_cast<unsigned int>(burst.bytes);
  const bool disabled = command == tlm::TLM_WRITE_COMMAND && data == nullptr;
  set_command(command);
  set_address(burst.address);
  set_data_ptr(buffer_.data());
  set_data_length(length);
  set_streaming_width(length);
  set_byte_enable_ptr(disabled ? all_disabled_.data() : nullptr);
  set_byte_enable_length(disabled ? length : 0);
  set_dmi_allowed(false);
  set_gp_option(tlm::TLM_MIN_PAYLOAD);
  set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

void BurstPayload::fetch(std::byte* data) const {
  std::memcpy(data, buffer_.data(), burst_.bytes);
}

}  // namespace petal
