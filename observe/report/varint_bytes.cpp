// SPDX-License-Identifier: Apache-2.0
#include "petal/report/varint_bytes.hpp"

namespace petal {

void VarintBytes::add(std::uint64_t value) {
  while (value >= 0x80U) {
    bytes_.push_back(static_cast<std::uint8_t>(value | 0x80U));
    value >>= 7U;
  }
  bytes_.push_back(static_cast<std::uint8_t>(value));
}

void VarintBytes::add_signed(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  add(value < 0 ? ~(bits << 1U) : bits << 1U);
}

}  // namespace petal
