// SPDX-License-Identifier: Apache-2.0
#include "petal/command/dtype.hpp"

namespace petal {

std::string_view name_of(DType dtype) {
  switch (dtype) {
    case DType::f32:
      return "f32";
    case DType::f16:
      return "f16";
    case DType::bf16:
      return "bf16";
    case DType::i8:
      return "i8";
    case DType::i32:
      return "i32";
    case DType::f8e4m3:
      return "f8e4m3";
    case DType::f8e5m2:
      return "f8e5m2";
    case DType::boolean:
      return "boolean";
  }
  return "?";
}

std::optional<DType> dtype_named(std::string_view name) {
  for (const DType dtype : kAllDTypes)
    if (name_of(dtype) == name) return dtype;
  return std::nullopt;
}

}  // namespace petal
