// SPDX-License-Identifier: Apache-2.0
#include "petal/memory/dense_memory.hpp"

#include <algorithm>

namespace petal {
const std::byte* DenseMemory::view_within(std::uint64_t address, std::uint64_t bytes) const {
  return address + bytes <= bytes_.size() ? bytes_.data() + address : nullptr;
}

std::byte* DenseMemory::view_for_writing_within(std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t end = address + bytes;
  if (end > bytes_.size())
    bytes_.resize(std::max(end, std::min<std::uint64_t>(capacity(), 2 * bytes_.size())), kNeverWritten);
  return bytes_.data() + address;
}

void DenseMemory::read_within(std::uint64_t address, std::byte* to, std::uint64_t bytes) const {
  const std::uint64_t begin = std::min<std::uint64_t>(address, bytes_.size());
  const std::uint64_t written = std::min(bytes, bytes_.size() - begin);
  std::copy_n(bytes_.data() + begin, written, to);
  std::fill_n(to + written, bytes - written, kNeverWritten);
}

void DenseMemory::write_within(std::uint64_t address, const std::byte* from, std::uint64_t bytes) {
  std::copy_n(from, bytes, view_for_writing_within(address, bytes));
}

}  // namespace petal
