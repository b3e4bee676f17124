// SPDX-License-Identifier: Apache-2.0
//
// Element types of tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

namespace petal {

enum class DType : std::uint8_t { f32, f16, bf16, i8, i32, f8e4m3, f8e5m2, boolean };

inline constexpr DType kAllDTypes[] = {DType::f32, DType::f16,    DType::bf16,   DType::i8,
                                       DType::i32, DType::f8e4m3, DType::f8e5m2, DType::boolean};

/// Bytes of one element, in the order of the enumerators.
inline constexpr std::uint8_t kDTypeSizes[] = {4, 2, 2, 1, 4, 1, 1, 1};

/// Size of one element in bytes; 0 for what is no enumerator.
constexpr std::uint64_t size_of(DType dtype) {
  const auto index = static_cast<std::size_t>(dtype);
  return index < std::size(kDTypeSizes) ? kDTypeSizes[index] : 0;
}

/// True for the types whose values are real numbers (they may be mixed in one GEMM).
constexpr bool is_floating(DType dtype) {
  return dtype != DType::i8 && dtype != DType::i32 && dtype != DType::boolean;
}

/// "f32", "f16", ...: the spelling of YAML files and logs.
std::string_view name_of(DType dtype);
/// The inverse of `name_of`; nothing if no type has that name.
std::optional<DType> dtype_named(std::string_view name);

}  // namespace petal
