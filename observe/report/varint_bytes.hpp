// SPDX-License-Identifier: Apache-2.0
//
// VarintBytes: a list of integers in few bytes. Seven bits a byte, the least significant first; the top bit
// says that more bytes follow. A signed number is stored as twice its magnitude, less one if it is negative.
#pragma once

#include <cstdint>
#include <vector>

namespace petal {

class VarintBytes {
 public:
  void add(std::uint64_t value);
  void add_signed(std::int64_t value);
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_;
};

}  // namespace petal
