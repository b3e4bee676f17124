// SPDX-License-Identifier: Apache-2.0
//
// Which registers one access reaches, or why it is refused: the rules of docs/registers.md. Pure: a payload
// is looked at as the data it is, no kernel is needed.
#pragma once

#include <array>
#include <cstdint>
#include <tlm>

#include "petal/device/register_map.hpp"

namespace petal {

/// The part of an access that falls into one register.
struct RegisterPart {
  RegisterId id = RegisterId::id;
  std::size_t data_offset = 0;      ///< of its first byte in the payload's data
  std::size_t register_offset = 0;  ///< of its first byte in the register
  std::size_t bytes = 0;
};

struct RegisterAccess {
  tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
  std::array<RegisterPart, 2> parts{};  ///< the first `count` of them, in the order in which they happen
  std::size_t count = 0;                ///< 0 unless the status is OK
};

/// The access that `payload` asks for. Precondition: its command is a read or a write.
RegisterAccess register_access_of(const tlm::tlm_generic_payload& payload);

/// The same for debug transport, which has neither byte enables nor a streaming width.
RegisterAccess register_debug_access_of(const tlm::tlm_generic_payload& payload);

}  // namespace petal
