// SPDX-License-Identifier: Apache-2.0
//
// AddressRange: a run of bytes of an address space. No question about it overflows, whatever the numbers.
#pragma once

#include <cstdint>

namespace petal::vp {

struct AddressRange {
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;  ///< at most 2^64 - begin

  /// The last address in it. Precondition: it is not empty.
  constexpr std::uint64_t last() const { return begin + (bytes - 1); }

  /// Whether all of the `length` bytes from `address` on lie in it.
  constexpr bool contains(std::uint64_t address, std::uint64_t length = 1) const {
    return length <= bytes && address >= begin && address - begin <= bytes - length;
  }

  /// Whether a byte lies in both.
  constexpr bool overlaps(const AddressRange& other) const {
    return bytes != 0 && other.bytes != 0 && begin <= other.last() && other.begin <= last();
  }

  /// What of it surrounds `address` without a byte of `other`. Precondition: `address` lies in it and not in
  /// `other`.
  constexpr AddressRange clear_of(const AddressRange& other, std::uint64_t address) const {
    if (!overlaps(other)) return *this;
    if (other.begin > address) return {begin, other.begin - begin};
    return {other.last() + 1, last() - other.last()};
  }

  /// The part of it that lies in `other` too. Precondition: they overlap.
  constexpr AddressRange intersection(const AddressRange& other) const {
    const std::uint64_t from = begin > other.begin ? begin : other.begin;
    const std::uint64_t to = last() < other.last() ? last() : other.last();
    return {from, to - from + 1};
  }
};

}  // namespace petal::vp
