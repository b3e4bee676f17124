// SPDX-License-Identifier: Apache-2.0
//
// Conversion between elements as memories hold them (in the host's byte order) and the numbers engines
// compute with.
//
// Every conversion rounds once, to nearest with ties to even, subnormal numbers included. What is too large
// becomes infinity, or NaN in f8e4m3, which has none (the conversion without saturation of the OCP 8-bit
// formats: f8e4m3 ends at 448, f8e5m2 at 57344); in i8 and i32 it becomes the nearest limit. A NaN stays a
// NaN and is always written as the type's one positive quiet NaN, since a NaN's other bits depend on the
// host; as an integer it becomes 0. A boolean is 1 for everything but 0 (so for NaN) and reads as 1 or 0.
#pragma once

#include <cstddef>
#include <cstdint>

#include "petal/command/dtype.hpp"

namespace petal {

/// `count` elements of `dtype`, stored without gaps at `from`, to f32. Exact but for i32 beyond 2^24.
void decode(const std::byte* from, DType dtype, float* to, std::size_t count);
/// The inverse. `to` takes count * size_of(dtype) bytes.
void encode(const float* from, DType dtype, std::byte* to, std::size_t count);

/// From numbers of higher precision, such as a file's, to any dtype: still one rounding.
void encode_double(const double* from, DType dtype, std::byte* to, std::size_t count);

/// Exact, from i8, i32 or boolean. Throws std::invalid_argument for a floating-point dtype.
void decode_int(const std::byte* from, DType dtype, std::int32_t* to, std::size_t count);
/// To any dtype, in one rounding from the integer.
void encode_int(const std::int32_t* from, DType dtype, std::byte* to, std::size_t count);

}  // namespace petal
