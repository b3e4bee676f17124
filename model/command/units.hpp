// SPDX-License-Identifier: Apache-2.0
//
// The units the model must never mix: clock cycles of a PE, picoseconds of simulated time, bytes.
//
// Cycles are real numbers (a command may cost 43.375 of them); picoseconds are integers, so that a sum of
// durations is exact and the same on every machine. A duration in cycles becomes picoseconds once, through
// `ClockFrequency`, and is never the sum of a rounded period.
#pragma once

#include <cstdint>
#include <limits>

namespace petal {

/// A number with a unit: it adds and compares only with its own kind.
template <typename Tag, typename Rep>
class Quantity {
 public:
  using rep = Rep;
  constexpr Quantity() = default;
  constexpr explicit Quantity(Rep count) : count_(count) {}
  constexpr Rep count() const { return count_; }

  constexpr Quantity& operator+=(Quantity other) {
    count_ += other.count_;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity other) {
    count_ -= other.count_;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.count_ + b.count_); }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.count_ - b.count_); }
  friend constexpr bool operator==(Quantity a, Quantity b) { return a.count_ == b.count_; }
  friend constexpr bool operator!=(Quantity a, Quantity b) { return a.count_ != b.count_; }
  friend constexpr bool operator<(Quantity a, Quantity b) { return a.count_ < b.count_; }
  friend constexpr bool operator<=(Quantity a, Quantity b) { return a.count_ <= b.count_; }
  friend constexpr bool operator>(Quantity a, Quantity b) { return a.count_ > b.count_; }
  friend constexpr bool operator>=(Quantity a, Quantity b) { return a.count_ >= b.count_; }

 private:
  Rep count_{};
};

/// Clock cycles of one PE; fractions are allowed.
using Cycles = Quantity<struct CyclesTag, double>;
/// Simulated time since the start of the run, or a duration.
using Picoseconds = Quantity<struct PicosecondsTag, std::int64_t>;
/// A number of bytes.
using Bytes = Quantity<struct BytesTag, std::uint64_t>;

/// Later than anything that happens.
inline constexpr Picoseconds kNever{std::numeric_limits<std::int64_t>::max()};

/// llround() for numbers that are not negative: half a unit rounds up. Exact, and inline, because every
/// duration of the model goes through it.
constexpr std::int64_t round_half_up(double value) {
  const auto whole = static_cast<std::int64_t>(value);
  return whole + (value - static_cast<double>(whole) >= 0.5 ? 1 : 0);
}

/// A PE's clock. `gigahertz` is positive and finite (the configuration sees to it).
class ClockFrequency {
 public:
  constexpr explicit ClockFrequency(double gigahertz) : gigahertz_(gigahertz) {}
  constexpr double gigahertz() const { return gigahertz_; }
  /// llround(cycles * 1000 / GHz): the one place where cycles become time (SPEC 2).
  Picoseconds duration_of(Cycles cycles) const {
    if (cycles.count() == 0.0) return Picoseconds(0);  // most set-up times: it saves the division
    return Picoseconds(round_half_up(cycles.count() * 1000.0 / gigahertz_));
  }

 private:
  double gigahertz_;
};

/// What a port or a channel moves in a second. 0 stands for `unlimited`: a transfer then takes no time.
class Bandwidth {
 public:
  constexpr explicit Bandwidth(double gb_per_s) : gb_per_s_(gb_per_s) {}
  static constexpr Bandwidth unlimited() { return Bandwidth(0.0); }
  constexpr bool is_unlimited() const { return gb_per_s_ == 0.0; }
  constexpr double gb_per_s() const { return gb_per_s_; }
  /// llround(bytes * 1000 / (GB/s)) picoseconds, where 1 GB/s is one byte a nanosecond.
  Picoseconds duration_of(Bytes bytes) const {
    return is_unlimited()
               ? Picoseconds(0)
               : Picoseconds(round_half_up(static_cast<double>(bytes.count()) * 1000.0 / gb_per_s_));
  }

 private:
  double gb_per_s_;
};

}  // namespace petal
