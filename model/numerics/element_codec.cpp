// SPDX-License-Identifier: Apache-2.0
#include "petal/numerics/element_codec.hpp"

#include <fmt/format.h>

#include <algorithm>
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
  static float encode(double value) { return encode(static_cast<float>(value)); }
};

template <typename Integer>
struct IntegerFormat {
  using Stored = Integer;
  static float decode(Integer stored) { return static_cast<float>(stored); }
  /// Every f32, and every integer up to i32, is a double.
  static Integer encode(double value) {
    using Limits = std::numeric_limits<Integer>;
    if (std::isnan(value)) return 0;
    return static_cast<Integer>(std::nearbyint(std::clamp<double>(value, Limits::min(), Limits::max())));
  }
};

struct Boolean {
  using Stored = std::uint8_t;
  static float decode(std::uint8_t stored) { return stored != 0 ? 1.0F : 0.0F; }
  static std::uint8_t encode(double value) { return value != 0.0 ? 1 : 0; }
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

/// `exact` makes of a number one that a format can round: a float or a double of the same value.
template <typename From, typename Exact>
void encode_each(const From* from, DType dtype, std::byte* to, std::size_t count, Exact exact) {
  with_format(dtype, [&](auto format) {
    using Format = decltype(format);
    for (std::size_t index = 0; index < count; ++index) {
      const typename Format::Stored stored = Format::encode(exact(from[index]));
      std::memcpy(to + index * sizeof(stored), &stored, sizeof(stored));
    }
  });
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
  encode_each(from, dtype, to, count, [](float value) { return value; });
}

void encode_double(const double* from, DType dtype, std::byte* to, std::size_t count) {
  encode_each(from, dtype, to, count, [](double value) { return value; });
}

void decode_int(const std::byte* from, DType dtype, std::int32_t* to, std::size_t count) {
  switch (dtype) {
    case DType::i8:
      return convert_from_stored<std::int8_t>(
          from, to, count, [](std::int8_t stored) { return static_cast<std::int32_t>(stored); });
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
  encode_each(from, dtype, to, count, [](std::int32_t value) { return static_cast<double>(value); });
}

}  // namespace petal
