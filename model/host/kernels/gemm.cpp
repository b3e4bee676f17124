// SPDX-License-Identifier: Apache-2.0
#include "petal/host/kernels/gemm.hpp"

#include <optional>

#include "petal/host/kernels/work_share.hpp"

namespace petal {
namespace {

/// The program's part of the product, all in HBM.
struct RowBlock {
  TensorHandle a;
  TensorHandle b;
  TensorHandle c;
};

std::optional<RowBlock> rows_of_this_program(const TlContext& tl, const GemmArguments& arguments) {
  const TensorHandle a = tl.ref(arguments.a, {arguments.m, arguments.k}, arguments.dtype);
  const TensorHandle b = tl.ref(arguments.b, {arguments.k, arguments.n}, arguments.dtype);
  const TensorHandle c = tl.ref(arguments.c, {arguments.m, arguments.n}, arguments.out_dtype);
  const IndexRange rows = share_of(arguments.m, tl.gemm_tile().m, tl.program_id(), tl.num_programs());
  if (rows.begin == rows.end) return std::nullopt;
  const auto take_rows = [&](const TensorHandle& whole) {
    const std::uint64_t offset = rows.begin * whole.shape[1] * size_of(whole.dtype);
    return tl.ref(whole.address + offset, {rows.end - rows.begin, whole.shape[1]}, whole.dtype);
  };
  return RowBlock{take_rows(a), b, take_rows(c)};
}

void multiply(TlContext& tl, const TensorHandle& a, const TensorHandle& b, const TensorHandle& c) {
  CompositeRequest request;
  request.a = a;
  request.b = b;
  request.out = c;
  tl.composite(request);
}

}  // namespace

void gemm(TlContext& tl, const GemmArguments& arguments) {
  if (const auto rows = rows_of_this_program(tl, arguments)) multiply(tl, rows->a, rows->b, rows->c);
}

void gemm_load_ref(TlContext& tl, const GemmArguments& arguments) {
  if (const auto rows = rows_of_this_program(tl, arguments)) multiply(tl, tl.load(rows->a), rows->b, rows->c);
}

void gemm_load_load(TlContext& tl, const GemmArguments& arguments) {
  const auto rows = rows_of_this_program(tl, arguments);
  if (!rows) return;
  const TensorHandle a = tl.load(rows->a);
  const TensorHandle b = tl.load(rows->b);
  multiply(tl, a, b, rows->c);
}

}  // namespace petal
