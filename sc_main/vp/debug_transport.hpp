// SPDX-License-Identifier: Apache-2.0
//
// Reading and writing through a socket's debug interface: no time, no side effects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tlm>

#include "petal/vp/elf_image.hpp"

namespace petal::vp {

/// Each returns how many of the `bytes` bytes at `address` were moved.
unsigned int debug_read(tlm::tlm_transport_dbg_if<>& bus, std::uint64_t address, std::byte* into,
                        unsigned int bytes);
unsigned int debug_write(tlm::tlm_transport_dbg_if<>& bus, std::uint64_t address, const std::byte* from,
                         unsigned int bytes);

/// Writes the segments of `image` into the memory behind `bus`. Throws ConfigError that names the address if
/// there is no memory for one.
void load(const ElfImage& image, tlm::tlm_transport_dbg_if<>& bus);

}  // namespace petal::vp
