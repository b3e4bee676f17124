// SPDX-License-Identifier: Apache-2.0
//
// Shapes, dtypes and overlaps of a GEMM, the same for `dot` and for a composite's head. Everything here
// throws EmitError in the name of `op`.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "petal/command/op_spec.hpp"

namespace petal {

/// m, k, n of a[m, k] * b[k, n]. An error if they are not two matrices that multiply, if a size does not fit
/// in an i32, or if the dtypes are not both floating or both i8 (SPEC 11.17).
GemmShape checked_gemm_shape(std::string_view op, const TensorHandle& a, const TensorHandle& b);

/// What an out that the compiler allocates holds: f32, or i32 for a product of i8 (SPEC 11.17, 12.4).
DType default_gemm_dtype(const TensorHandle& a);

/// An error if `out` is not [m, n], cannot hold the product, has elements at one address or rows with gaps
/// between neighbours, or overlaps `a` or `b`, which the engine still reads while it writes (SPEC 11.5).
void check_gemm_out(std::string_view op, const TensorHandle& a, const TensorHandle& b,
                    const TensorHandle& out);

/// A matrix in HBM is read as contiguous runs: one of its two axes must have neighbours side by side.
void require_streamable(std::string_view op, std::string_view operand, const TensorHandle& handle);

/// The scalars of a GEMM op in schema order. An error for a scale on a product of integers, which is not f32.
ScalarList gemm_extras(std::string_view op, const TensorHandle& a, const GemmShape& shape,
                       std::optional<float> scale);

}  // namespace petal
