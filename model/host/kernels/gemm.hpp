// SPDX-License-Identifier: Apache-2.0
//
// C[m, n] = A[m, k] * B[k, n] with the operands streamed or staged. Programs share the work by rows of C:
// blocks of the hardware tile's m rows, contiguous and as even as they come out. A program without rows does
// nothing.
#pragma once

#include <cstdint>

#include "petal/command/dtype.hpp"
#include "petal/host/tl_context.hpp"

namespace petal {

/// The problem and where its matrices lie in HBM, row-major without gaps.
struct GemmArguments {
  std::uint64_t m = 0;
  std::uint64_t k = 0;
  std::uint64_t n = 0;
  DType dtype = DType::f16;      ///< of A and B
  DType out_dtype = DType::f32;  ///< of C
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  std::uint64_t c = 0;
};

/// ref/ref: one composite streams A and B tile by tile; any size fits.
void gemm(TlContext& tl, const GemmArguments& arguments);
/// load/ref: the program's rows of A are loaded first, B is streamed. Throws EmitError if the rows do not fit
/// in TCM.
void gemm_load_ref(TlContext& tl, const GemmArguments& arguments);
/// load/load: the program's rows of A and all of B are loaded first. Throws EmitError if they do not fit in
/// TCM.
void gemm_load_load(TlContext& tl, const GemmArguments& arguments);

}  // namespace petal
