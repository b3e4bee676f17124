// SPDX-License-Identifier: Apache-2.0
#include "petal/numerics/element_codec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "petal/numerics/float_format.hpp"

namespace petal {
namespace {

/// f32 as a memory holds it: only its NaNs change.
struct Float32 {
  using Stored = float;
  static float decode(float stored) { return stored; }
  static float encode(float value) {
    return value == value ? value : std::numeric_limits<float>::quiet_NaN();
  }
};

template <typename Integer>
struct IntegerFormat {
  using Stored = Integer;
  static float decode(Integer stored) { return static_cast<float>(stored); }
  static Integer encode(float value) {
    using Limits = std::numeric_limits<Integer>;
    if (std::isnan(value)) return 0;
    // -min is max + 1, and unlike max an f32 for every width.
    if (value >= -static_cast<float>(Limits::min())) return Limits::max();
    if (value <= static_cast<float>(Limits::min())) return Limits::min();
    return encode(static_cast<std::int64_t>(std::nearbyint(value)));
  }
  static Integer encode(std::int64_t value) {
    using Limits = std::numeric_limits<Integer>;
    return static_cast<Integer>(std::clamp<std::int64_t>(value, Limits::min(), Limits::max()));
  }
};

struct Boolean {
  using Stored = std::uint8_t;
  static float decode(std::uint8_t stored) { return stored != 0 ? 1.0F : 0.0F; }
  static std::uint8_t encode(float value) { return value != 0.0F ? 1 : 0; }
};

/// Calls visit(format) with the format of `dtype`.
template <typename Visit>
void with_format(DType dtype, Visit visit) {
  switch (dtype) {
    case DType::f32:
      return visit(Float32());
    case DType::f16:
      return visit(Float16());
    case DType::bf16:
      return visit(BFloat16());
    case DType::i8:
      return visit(IntegerFormat<std::int8_t>());
    case DType::i32:
      return visit(IntegerFormat<std::int32_t>());
    case DType::f8e4m3:
      return visit(Float8E4M3());
    case DType::f8e5m2:
      return visit(Float8E5M2());
    case DType::boolean:
      return visit(Boolean());
  }
}

template <typename Stored, typename To, typename Convert>
void convert_from_stored(const std::byte* from, To* to, std::size_t count, Convert convert) {
  for (std::size_t index = 0; index < count; ++index) {
    Stored stored;
    std::memcpy(&stored, from + index * sizeof(stored), sizeof(stored));
    to[index] = convert(stored);
  }
}

template <typename Stored, typename From, typename Convert>
void convert_to_stored(const From* from, std::byte* to, std::size_t count, Convert convert) {
  for (std::size_t index = 0; index < count; ++index) {
    const Stored stored = convert(from[index]);
    std::memcpy(to + index * sizeof(stored), &stored, sizeof(stored));
  }
}

/// The integer as f32, rounded towards zero, with the last bit set if anything was lost. Rounding that to a
/// format at least two bits shorter is the same as rounding the integer: a tie is still a tie, and what was
/// not is not.
float rounded_to_odd(std::int32_t value) {
  const double exact = value;
  const auto nearest = static_cast<float>(exact);
  if (static_cast<double>(nearest) == exact) return nearest;
  auto bits = bits_of<std::uint32_t>(nearest);
  if (std::abs(static_cast<double>(nearest)) > std::abs(exact)) --bits;
  return bits_of<float>(bits | 1U);
}

}  // namespace

void decode(const std::byte* from, DType dtype, float* to, std::size_t count) {
  with_format(dtype, [&](auto format) {
    using Format = decltype(format);
    convert_from_stored<typename Format::Stored>(
        from, to, count, [](typename Format::Stored stored) { return Format::decode(stored); });
  });
}

void encode(const float* from, DType dtype, std::byte* to, std::size_t count) {
  with_format(dtype, [&](auto format) {
    using Format = decltype(format);
    convert_to_stored<typename Format::Stored>(from, to, count,
                                               [](float value) { return Format::encode(value); });
  });
}

void decode_int(const std::byte* from, DType dtype, std::int32_t* to, std::size_t count) {
  switch (dtype) {
    case DType::i8:
      return convert_from_stored<std::int8_t>(from, to, count, [](std::int8_t stored) { return stored; });
    case DType::i32:
      return convert_from_stored<std::int32_t>(from, to, count, [](std::int32_t stored) { return stored; });
    case DType::boolean:
      return convert_from_stored<std::uint8_t>(from, to, count,
                                               [](std::uint8_t stored) { return stored != 0 ? 1 : 0; });
    default:
      throw std::invalid_argument(fmt::format("{} is no integer dtype; read it as f32", name_of(dtype)));
  }
}

void encode_int(const std::int32_t* from, DType dtype, std::byte* to, std::size_t count) {
  const auto store = [&](auto convert) {
    convert_to_stored<decltype(convert(std::int32_t{}))>(from, to, count, convert);
  };
  switch (dtype) {
    case DType::i8:
      return store(
          [](std::int32_t value) { return IntegerFormat<std::int8_t>::encode(std::int64_t{value}); });
    case DType::i32:
      return store([](std::int32_t value) { return value; });
    case DType::boolean:
      return store([](std::int32_t value) { return static_cast<std::uint8_t>(value != 0); });
    case DType::f32:
      return store([](std::int32_t value) { return static_cast<float>(value); });
    default:
      with_format(dtype, [&](auto format) {
        store([](std::int32_t value) { return decltype(format)::encode(rounded_to_odd(value)); });
      });
  }
}

}  // namespace petal
