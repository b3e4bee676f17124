// SPDX-License-Identifier: Apache-2.0
//
// What the targets of the platform share: reading a generic payload's attributes as the standard defines
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tlm>

namespace petal::vp {

/// The bytes of the address space that `payload` touches, from its address on: a streaming width below the
/// length wraps around.
std::uint64_t touched_bytes(const tlm::tlm_generic_payload& payload);

/// Moves the payload's data from or to `memory`, which holds the bytes at the payload's address, as many as
/// touched_bytes(). Byte enables and streaming width are honoured; a disabled byte is left alone on both
/// sides.
void copy_payload(tlm::tlm_generic_payload& payload, std::byte* memory);

}  // namespace petal::vp
