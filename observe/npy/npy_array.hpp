// SPDX-License-Identifier: Apache-2.0
//
// NpyArray: a tensor as NumPy's .npy files hold it, and its conversion from and to the elements of PETAL's
// dtypes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "petal/command/dtype.hpp"

namespace petal {

struct NpyArray {
  std::string descr = "<f4";  ///< NumPy's name of the element type; one of those `npy_item_bytes` knows
  std::vector<std::uint64_t> shape;  ///< no axes: one element
  std::vector<std::byte> data;       ///< the elements without gaps, in C order (the last axis is the fastest)

  std::uint64_t elements() const;
};

/// Bytes of one element: of "<f4", "<f2", "<f8", "|b1", "|i1", "<i4" and "<i8". Nothing for any other type:
/// PETAL reads no big-endian, unsigned, complex, text, structured or object arrays, and NumPy has no type for
/// bf16 and the 8-bit floating-point formats.
std::optional<std::uint64_t> npy_item_bytes(std::string_view descr);

/// Every element as a double: exact but for integers beyond 2^53. Precondition: as read or made by PETAL.
std::vector<double> as_doubles(const NpyArray& array);

/// The array's elements as a memory holds them in `dtype`, each rounded once (an i8 beyond 2^53 twice).
std::vector<std::byte> as_elements(const NpyArray& array, DType dtype);

/// The array of `stored` elements of `dtype`, which fill `shape`. bf16 and the 8-bit formats become "<f4",
/// exactly.
NpyArray npy_of_elements(const std::vector<std::byte>& stored, DType dtype, std::vector<std::uint64_t> shape);

}  // namespace petal
