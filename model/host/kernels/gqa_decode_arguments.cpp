// SPDX-License-Identifier: Apache-2.0
#include "petal/host/kernels/gqa_decode_arguments.hpp"

#include <fmt/format.h>

#include <cmath>

#include "petal/command/error.hpp"
#include "petal/command/integer_math.hpp"
#include "petal/host/kernels/argument_checks.hpp"

namespace petal {
namespace {

constexpr const char* kKernel = "gqa_decode";

}  // namespace

std::uint64_t gqa_decode_tiles(const GqaDecodeArguments& arguments) {
  return arguments.kv_heads * divide_up(arguments.kv_len, arguments.tile);
}

void check_gqa_decode_arguments(const TlContext& tl, const GqaDecodeArguments& arguments) {
  require_positive(kKernel, "q_heads", arguments.q_heads);
  require_positive(kKernel, "kv_heads", arguments.kv_heads);
  require_positive(kKernel, "head_dim", arguments.head_dim);
  require_positive(kKernel, "tile", arguments.tile);
  require_floating(kKernel, "dtype", arguments.dtype);
  require_floating(kKernel, "out_dtype", arguments.out_dtype);
  if (arguments.q_heads % arguments.kv_heads != 0)
    throw ConfigError(
        fmt::format("gqa_decode: q_heads {} is not a multiple of kv_heads {}; each KV head is shared by "
                    "the same number of query heads",
                    arguments.q_heads, arguments.kv_heads));
  // Naming the whole tensors shows that the address of no part of them can overflow.
  tl.ref(arguments.q, {arguments.q_heads, arguments.head_dim}, arguments.dtype);
  tl.ref(arguments.k, {arguments.kv_heads, arguments.kv_len, arguments.head_dim}, arguments.dtype);
  tl.ref(arguments.v, {arguments.kv_heads, arguments.kv_len, arguments.head_dim}, arguments.dtype);
  tl.ref(arguments.o, {arguments.q_heads, arguments.head_dim}, arguments.out_dtype);
  for (const std::optional<std::uint64_t>& state : {arguments.m, arguments.l})
    if (state) tl.ref(*state, {arguments.q_heads}, DType::f32);
}

float gqa_decode_scale(const GqaDecodeArguments& arguments) {
  if (arguments.scale) return *arguments.scale;
  return static_cast<float>(1.0 / std::sqrt(static_cast<double>(arguments.head_dim)));
}

}  // namespace petal
