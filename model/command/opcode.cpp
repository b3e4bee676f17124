// SPDX-License-Identifier: Apache-2.0
#include "petal/command/opcode.hpp"

#include <algorithm>
#include <iterator>

namespace petal {
namespace {

using Names = SchemaList<std::string_view>;
using Scalars = SchemaList<ScalarSchema>;

constexpr Names kNone{{}, 0};
constexpr Names kSource{{"src"}, 1};
constexpr Names kTwoSources{{"src_a", "src_b"}, 2};
constexpr Names kThreeSources{{"src_a", "src_b", "src_c"}, 3};
constexpr Names kAccumulatorAndOther{{"acc", "other"}, 2};
constexpr Names kSourceAndMask{{"src", "mask"}, 2};
constexpr Names kGemmOperands{{"a", "b"}, 2};

constexpr Scalars kNoScalars{{}, 0};
constexpr Scalars kReduceAxis{{{"reduce_axis", ScalarType::i32}}, 1};
constexpr Scalars kBroadcastAxis{{{"bcast_axis", ScalarType::i32}}, 1};
constexpr Scalars kValue{{{"value", ScalarType::f32}}, 1};
constexpr Scalars kFactor{{{"factor", ScalarType::f32}}, 1};
constexpr Scalars kFloor{{{"floor", ScalarType::f32}}, 1};
constexpr Scalars kCap{{{"cap", ScalarType::f32}}, 1};
constexpr Scalars kBand{{{"low", ScalarType::i32}, {"high", ScalarType::i32}}, 2};
constexpr Scalars kFill{{{"fill", ScalarType::f32}}, 1};
constexpr Scalars kGemmScalars{
    {{"m", ScalarType::i32}, {"k", ScalarType::i32}, {"n", ScalarType::i32}, {"scale", ScalarType::f32}}, 4};

constexpr auto kGemm = EngineClass::gemm;
constexpr auto kMath = EngineClass::math;
constexpr auto kFast = MathCost::fast;
constexpr auto kSlow = MathCost::slow;

constexpr OpcodeSchema kSchemas[] = {
    {Opcode::gemm, "gemm", kGemm, kFast, false, kGemmOperands, kGemmScalars, 3},
    {Opcode::fill, "fill", kMath, kFast, false, kNone, kValue, 1},
    {Opcode::copy, "copy", kMath, kFast, false, kSource, kNoScalars, 0},
    {Opcode::rmax, "rmax", kMath, kFast, true, kSource, kReduceAxis, 1},
    {Opcode::rsum, "rsum", kMath, kFast, true, kSource, kReduceAxis, 1},
    {Opcode::max_elem, "max_elem", kMath, kFast, false, kTwoSources, kNoScalars, 0},
    {Opcode::exp, "exp", kMath, kSlow, false, kSource, kNoScalars, 0},
    {Opcode::exp_diff, "exp_diff", kMath, kSlow, false, kTwoSources, kBroadcastAxis, 0},
    {Opcode::fma, "fma", kMath, kFast, false, kThreeSources, kNoScalars, 0},
    {Opcode::mul_bcast, "mul_bcast", kMath, kFast, false, kTwoSources, kBroadcastAxis, 1},
    {Opcode::div_bcast, "div_bcast", kMath, kSlow, false, kTwoSources, kBroadcastAxis, 1},
    {Opcode::add, "add", kMath, kFast, false, kAccumulatorAndOther, kNoScalars, 0},
    {Opcode::sub, "sub", kMath, kFast, false, kAccumulatorAndOther, kNoScalars, 0},
    {Opcode::mul, "mul", kMath, kFast, false, kAccumulatorAndOther, kNoScalars, 0},
    {Opcode::div, "div", kMath, kSlow, false, kAccumulatorAndOther, kNoScalars, 0},
    {Opcode::scale, "scale", kMath, kFast, false, kSource, kFactor, 1},
    {Opcode::clamp_min, "clamp_min", kMath, kFast, false, kSource, kFloor, 1},
    {Opcode::neg, "neg", kMath, kFast, false, kSource, kNoScalars, 0},
    {Opcode::relu, "relu", kMath, kFast, false, kSource, kNoScalars, 0},
    {Opcode::gelu, "gelu", kMath, kSlow, false, kSource, kNoScalars, 0},
    {Opcode::tanh, "tanh", kMath, kSlow, false, kSource, kNoScalars, 0},
    {Opcode::rsqrt, "rsqrt", kMath, kSlow, false, kSource, kNoScalars, 0},
    {Opcode::sigmoid, "sigmoid", kMath, kSlow, false, kSource, kNoScalars, 0},
    {Opcode::silu, "silu", kMath, kSlow, false, kSource, kNoScalars, 0},
    {Opcode::softcap, "softcap", kMath, kSlow, false, kSource, kCap, 1},
    {Opcode::band_mask, "band_mask", kMath, kFast, false, kSource, kBand, 2},
    {Opcode::where, "where", kMath, kFast, false, kSourceAndMask, kFill, 1},
};

constexpr bool is_dense_table() {
  for (std::size_t index = 0; index < std::size(kSchemas); ++index)
    if (static_cast<std::size_t>(kSchemas[index].opcode) != index + 1) return false;
  return true;
}
static_assert(is_dense_table(), "kSchemas must list every opcode in order");

constexpr bool fits_in_an_op() {
  for (const OpcodeSchema& schema : kSchemas)
    if (schema.operands.size() > kMostOperands || schema.extras.size() > kMostScalars) return false;
  return true;
}
static_assert(fits_in_an_op(), "kMostOperands and kMostScalars must be those of the largest schema");

}  // namespace

const OpcodeSchema& schema_of(Opcode opcode) {
  return kSchemas[static_cast<std::size_t>(opcode) - 1];
}

const OpcodeSchema* find_schema(std::uint8_t byte) {
  return byte >= 1 && byte <= std::size(kSchemas) ? &kSchemas[byte - 1U] : nullptr;
}

const OpcodeSchema* find_schema(std::string_view name) {
  const auto* const found = std::find_if(std::begin(kSchemas), std::end(kSchemas),
                                         [&](const OpcodeSchema& schema) { return schema.name == name; });
  return found == std::end(kSchemas) ? nullptr : found;
}

const OpcodeSchema* begin_of_schemas() {
  return std::begin(kSchemas);
}
const OpcodeSchema* end_of_schemas() {
  return std::end(kSchemas);
}

}  // namespace petal
