// SPDX-License-Identifier: Apache-2.0
#include "petal/memory/byte_memory.hpp"

#include "petal/command/error.hpp"

namespace petal {

void ByteMemory::read(std::uint64_t address, std::byte* to, std::uint64_t bytes) const {
  if (bytes == 0) return;
  require_within(address, bytes);
  read_within(address, to, bytes);
}

void ByteMemory::write(std::uint64_t address, const std::byte* from, std::uint64_t bytes) {
  if (bytes == 0) return;
  require_within(address, bytes);
  write_within(address, from, bytes);
}

const std::byte* ByteMemory::view(std::uint64_t address, std::uint64_t bytes) const {
  if (bytes == 0) return nullptr;
  require_within(address, bytes);
  return view_within(address, bytes);
}

std::byte* ByteMemory::view_for_writing(std::uint64_t address, std::uint64_t bytes) {
  if (bytes == 0) return nullptr;
  require_within(address, bytes);
  return view_for_writing_within(address, bytes);
}

// address + bytes may not fit 64 bits.
void ByteMemory::require_within(std::uint64_t address, std::uint64_t bytes) const {
  if (address > capacity_ || bytes > capacity_ - address)
    throw AddressError(name_, address, bytes, capacity_);
}

}  // namespace petal
