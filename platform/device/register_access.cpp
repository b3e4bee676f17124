// SPDX-License-Identifier: Apache-2.0
#include "petal/device/register_access.hpp"

#include <algorithm>

#include "petal/device/byte_enables.hpp"

namespace petal {
namespace {

constexpr RegisterAccess refused(tlm::tlm_response_status status) {
  return {status, {}, 0};
}

bool within_block(std::uint64_t address, std::uint64_t bytes) {
  return address < kRegisterBlockBytes && bytes <= kRegisterBlockBytes - address;
}

bool length_fits(const tlm::tlm_generic_payload& payload) {
  const unsigned int bytes = payload.get_data_length();
  const bool whole = bytes == kRegisterBytes || bytes == 2 * kRegisterBytes;
  const bool part = payload.is_read() && (bytes == 1 || bytes == 2);
  return (whole || part) && payload.get_address() % bytes == 0;
}

/// Every register in reach of an aligned access, or ADDRESS_ERROR if one is missing.
RegisterAccess registers_within(std::uint64_t address, std::size_t bytes) {
  RegisterAccess access;
  for (std::size_t done = 0; done < bytes;) {
    const std::size_t register_offset = (address + done) % kRegisterBytes;
    const std::optional<RegisterId> id = register_at(address + done - register_offset);
    if (!id) return refused(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    const std::size_t part = std::min<std::size_t>(kRegisterBytes - register_offset, bytes - done);
    access.parts.at(access.count++) = {*id, done, register_offset, part};
    done += part;
  }
  access.status = tlm::TLM_OK_RESPONSE;
  return access;
}

/// Drops the parts that are disabled; refuses a part that is neither enabled nor disabled as a whole.
RegisterAccess enabled_parts(const RegisterAccess& access, const ByteEnables& enables) {
  RegisterAccess result = refused(tlm::TLM_OK_RESPONSE);
  for (std::size_t i = 0; i < access.count; ++i) {
    const RegisterPart& part = access.parts.at(i);
    std::size_t enabled = 0;
    for (std::size_t byte = 0; byte < part.bytes; ++byte)
      if (enables.enabled(part.data_offset + byte)) ++enabled;
    if (enabled == 0) continue;
    if (enabled != part.bytes) return refused(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    result.parts.at(result.count++) = part;
  }
  return result;
}

}  // namespace

RegisterAccess register_debug_access_of(const tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  const unsigned int bytes = payload.get_data_length();
  if (!within_block(address, bytes)) return refused(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  if (!length_fits(payload)) return refused(tlm::TLM_BURST_ERROR_RESPONSE);
  if (payload.get_data_ptr() == nullptr) return refused(tlm::TLM_GENERIC_ERROR_RESPONSE);
  return registers_within(address, bytes);
}

RegisterAccess register_access_of(const tlm::tlm_generic_payload& payload) {
  const unsigned int bytes = payload.get_data_length();
  const RegisterAccess access = register_debug_access_of(payload);
  if (access.status == tlm::TLM_ADDRESS_ERROR_RESPONSE && !within_block(payload.get_address(), bytes))
    return access;
  if (payload.get_streaming_width() < bytes) return refused(tlm::TLM_BURST_ERROR_RESPONSE);
  if (access.status != tlm::TLM_OK_RESPONSE) return access;
  const ByteEnables enables(payload);
  if (!enables.valid_for(bytes)) return refused(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  return enabled_parts(access, enables);
}

}  // namespace petal
