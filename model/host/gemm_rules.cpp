// SPDX-License-Identifier: Apache-2.0
#include "petal/host/gemm_rules.hpp"

#include <fmt/format.h>

#include <string>

#include "petal/command/error.hpp"
#include "petal/host/tensor_checks.hpp"

namespace petal {
namespace {

[[noreturn]] void refuse(std::string_view op, std::string_view operand, const std::string& problem,
                         const std::string& remedy) {
  throw EmitError(std::string(op), std::string(operand), problem, remedy);
}

void require_gemm_dtype(std::string_view op, std::string_view operand, DType dtype) {
  if (!is_floating(dtype) && dtype != DType::i8)
    refuse(op, operand, fmt::format("dtype {} cannot be multiplied", name_of(dtype)),
           "use a floating dtype or i8");
}

void require_matrix(std::string_view op, std::string_view operand, const TensorHandle& handle) {
  if (handle.shape.rank() != 2)
    refuse(op, operand, fmt::format("{} is not a matrix", handle.to_string()), "give a tensor of two axes");
}

void require_apart(std::string_view op, const TensorHandle& out, std::string_view name,
                   const TensorHandle& input) {
  if (out.range().overlaps(input.range()))
    refuse(op, "out",
           fmt::format("{} overlaps {} ({}), which is still read while it is written", out.to_string(), name,
                       input.to_string()),
           "write to memory apart from the GEMM's inputs");
}

}  // namespace

GemmShape checked_gemm_shape(std::string_view op, const TensorHandle& a, const TensorHandle& b) {
  require_matrix(op, "a", a);
  require_matrix(op, "b", b);
  require_gemm_dtype(op, "a", a.dtype);
  require_gemm_dtype(op, "b", b.dtype);
  if (is_floating(a.dtype) != is_floating(b.dtype))
    refuse(op, "b", fmt::format("dtype {} does not go with a's dtype {}", name_of(b.dtype), name_of(a.dtype)),
           "make both floating or both i8");
  if (a.shape[1] != b.shape[0])
    refuse(op, "b",
           fmt::format("shape {} does not go with a's shape {}: {} rows for {} columns", b.shape.to_string(),
                       a.shape.to_string(), b.shape[0], a.shape[1]),
           "make b's rows as many as a's columns (trans() exchanges them)");
  checked_i32(op, "a", a.shape[0]);
  checked_i32(op, "a", a.shape[1]);
  checked_i32(op, "b", b.shape[1]);
  return {a.shape[0], a.shape[1], b.shape[1]};
}

DType default_gemm_dtype(const TensorHandle& a) {
  return is_floating(a.dtype) ? DType::f32 : DType::i32;
}

void check_gemm_out(std::string_view op, const TensorHandle& a, const TensorHandle& b,
                    const TensorHandle& out) {
  const Dims wanted{a.shape[0], b.shape[1]};
  if (out.shape != wanted)
    refuse(op, "out",
           fmt::format("shape {} is not the product's {}", out.shape.to_string(), wanted.to_string()),
           "give an out of the product's shape, or none");
  if (out.dtype == DType::boolean || (is_floating(a.dtype) && !is_floating(out.dtype)))
    refuse(op, "out",
           fmt::format("dtype {} cannot hold a product of {}", name_of(out.dtype), name_of(a.dtype)),
           is_floating(a.dtype) ? "give an out of a floating dtype" : "give an out of dtype i32, i8 or f32");
  require_writable(op, "out", out);
  if (!has_contiguous_rows(out))
    refuse(op, "out", fmt::format("{} has gaps between neighbours of a row", out.to_string()),
           "write to a tensor with contiguous rows and transpose where it is read");
  require_apart(op, out, "a", a);
  require_apart(op, out, "b", b);
}

void require_streamable(std::string_view op, std::string_view operand, const TensorHandle& handle) {
  if (handle.space != Space::hbm || has_contiguous_rows(handle)) return;
  if (handle.shape.rank() >= 2 && has_contiguous_rows(transposed(handle))) return;
  refuse(op, operand,
         fmt::format("{} has no axis with neighbours side by side in memory", handle.to_string()),
         "give a tensor whose rows, or whose columns, are contiguous");
}

ScalarList gemm_extras(std::string_view op, const TensorHandle& a, const GemmShape& shape,
                       std::optional<float> scale) {
  ScalarList extras{checked_i32(op, "a", shape.m), checked_i32(op, "a", shape.k),
                    checked_i32(op, "b", shape.n)};
  if (!scale) return extras;
  if (!is_floating(a.dtype))
    refuse(op, "scale", "a product of integers is not scaled",
           "leave the scale off and use the scale op on the result");
  extras.emplace_back(*scale);
  return extras;
}

}  // namespace petal
