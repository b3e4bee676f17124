// SPDX-License-Identifier: Apache-2.0
//
// A short list of 64-bit numbers: a tensor's shape or its strides. Kept inline because handles are copied
// into every command.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

namespace petal {

class Dims {
 public:
  static constexpr std::size_t kMaxRank = 4;

  constexpr Dims() = default;
  /// Throws std::length_error for more than kMaxRank entries.
  Dims(std::initializer_list<std::uint64_t> values) {
    for (const std::uint64_t value : values) push_back(value);
  }

  std::size_t rank() const { return rank_; }
  std::uint64_t operator[](std::size_t axis) const { return values_[axis]; }
  std::uint64_t& operator[](std::size_t axis) { return values_[axis]; }
  std::uint64_t back() const { return values_[rank_ - 1U]; }
  const std::uint64_t* begin() const { return values_.data(); }
  const std::uint64_t* end() const { return values_.data() + rank_; }
  void push_back(std::uint64_t value);

  /// Product of all entries; 1 for rank 0 (a scalar).
  std::uint64_t product() const {
    std::uint64_t product = 1;
    for (const std::uint64_t value : *this) product *= value;
    return product;
  }
  /// "[4, 128]".
  std::string to_string() const;

  friend bool operator==(const Dims& a, const Dims& b) {
    return a.rank_ == b.rank_ && a.values_ == b.values_;
  }
  friend bool operator!=(const Dims& a, const Dims& b) { return !(a == b); }

 private:
  std::array<std::uint64_t, kMaxRank> values_{};  // 0 from rank_ on
  std::uint8_t rank_ = 0;
};

/// Strides, in elements, of a row-major tensor without gaps.
Dims row_major_strides(const Dims& shape);

}  // namespace petal
