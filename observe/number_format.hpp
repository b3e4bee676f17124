// SPDX-License-Identifier: Apache-2.0
//
// Numbers as text, for readers that write millions of lines: straight into a buffer of the caller's that is
// large enough, and no allocation. Each function returns the end of what it wrote; characters behind that may
// have been overwritten, up to the most that its comment names.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

namespace petal {

namespace number_format {

constexpr std::array<char, 200> make_digit_pairs() {
  std::array<char, 200> pairs{};
  for (std::size_t value = 0; value < 100; ++value) {
    pairs[2 * value] = static_cast<char>('0' + value / 10);
    pairs[2 * value + 1] = static_cast<char>('0' + value % 10);
  }
  return pairs;
}
inline constexpr std::array<char, 200> kDigitPairs = make_digit_pairs();

constexpr std::array<char, 2048> make_octets() {
  std::array<char, 2048> octets{};
  for (std::size_t value = 0; value < 256; ++value)
    for (std::size_t bit = 0; bit < 8; ++bit)
      octets[8 * value + bit] = static_cast<char>('0' + ((value >> (7 - bit)) & 1U));
  return octets;
}
inline constexpr std::array<char, 2048> kOctets = make_octets();

}  // namespace number_format

inline constexpr std::size_t kMostDecimalDigits = 20;
inline constexpr std::size_t kMostBinaryDigits = 64;

/// `value` in decimal; at most 20 characters.
inline char* write_decimal(char* to, std::uint64_t value) {
  if (value < 10) {
    *to = static_cast<char>('0' + value);
    return to + 1;
  }
  char digits[kMostDecimalDigits];
  char* first = digits + kMostDecimalDigits;
  while (value >= 100) {
    first -= 2;
    std::memcpy(first, &number_format::kDigitPairs[2 * (value % 100)], 2);
    value /= 100;
  }
  if (value >= 10) {
    first -= 2;
    std::memcpy(first, &number_format::kDigitPairs[2 * value], 2);
  } else {
    *--first = static_cast<char>('0' + value);
  }
  const auto length = static_cast<std::size_t>(digits + kMostDecimalDigits - first);
  std::memcpy(to, first, length);
  return to + length;
}

/// `value` in binary without leading zeros; at most 64 characters.
inline char* write_binary(char* to, std::uint64_t value) {
  if (value < 2) {
    *to = static_cast<char>('0' + value);
    return to + 1;
  }
  int left = 64 - __builtin_clzll(value);
  std::uint64_t bits = value << (64 - left);
  for (; left > 0; left -= 8, to += 8, bits <<= 8U)
    std::memcpy(to, &number_format::kOctets[8 * (bits >> 56U)], 8);
  return to + left;  // the last octet may hold more than was left
}

/// `value` in lower-case hexadecimal without leading zeros; at most 16 characters.
inline char* write_hexadecimal(char* to, std::uint64_t value) {
  const int digits = value == 0 ? 1 : (67 - __builtin_clzll(value)) / 4;
  for (int digit = digits - 1; digit >= 0; --digit, value >>= 4U) to[digit] = "0123456789abcdef"[value & 15U];
  return to + digits;
}

}  // namespace petal
