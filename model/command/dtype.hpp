// SPDX-License-Identifier: Apache-2.0
//
// Element types of tensors.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace petal {

enum class DType : std::uint8_t { f32, f16, bf16, i8, i32, f8e4m3, f8e5m2, boolean };

inline constexpr DType kAllDTypes[] = {DType::f32, DType::f16,    DType::bf16,   DType::i8,
                                       DType::i32, DType::f8e4m3, DType::f8e5m2, DType::boolean};

/// Size of one element in bytes.
constexpr std::uint64_t size_of(DType dtype) {
  switch (dtype) {
    case DType::f32:
    case DType::i32:
      return 4;
    case DType::f16:
    case DType::bf16:
      return 2;
    case DType::i8:
    case DType::f8e4m3:
    case DType::f8e5m2:
    case DType::boolean:
      return 1;
  }
  return 0;
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
