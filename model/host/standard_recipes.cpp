// SPDX-License-Identifier: Apache-2.0
#include "petal/host/standard_recipes.hpp"

#include <limits>

namespace petal {
namespace {

constexpr auto kPerRow = RecipeAxes::one_a_row;
constexpr std::int32_t kLastAxis = -1;
constexpr std::int32_t kRows = 1;  ///< bcast_axis of an operand with one value a row

/// Online softmax, the step that takes one more tile of scores s into the running maximum m, sum l and output
/// O:
///     m' = max(m, rowmax(s)), P = e^(s - m'), l = l e^(m - m') + rowsum(P), O = O e^(m - m'), m = m'
RecipeDescriptor softmax_merge() {
  RecipeDescriptor recipe;
  recipe.name = "softmax_merge";
  recipe.description = "merges a tile of scores s into the online softmax state m, l, O and hands on P";
  recipe.operands = {
      {"s", Access::read}, {"m", Access::read_write}, {"l", Access::read_write}, {"O", Access::read_write}};
  recipe.primary_out = PrimaryOutSpec{{"P", "s", "s"}, "identity"};
  recipe.temporaries = {{"m_loc", "m", "m"}, {"m_new", "m", "m"}, {"corr", "m", "m"}, {"l_loc", "l", "l"}};
  recipe.engine_seq = {
      {Opcode::rmax, {"s"}, "m_loc", {kLastAxis}},
      {Opcode::max_elem, {"m", "m_loc"}, "m_new", {}},
      {Opcode::exp_diff, {"m", "m_new"}, "corr", {}},
      {Opcode::exp_diff, {"s", "m_new"}, "P", {std::int32_t{0}}},
      {Opcode::rsum, {"P"}, "l_loc", {kLastAxis}},
      {Opcode::fma, {"l", "corr", "l_loc"}, "l", {}},
      {Opcode::mul_bcast, {"O", "corr"}, "O", {kRows}},
      {Opcode::copy, {"m_new"}, "m", {}},
  };
  return recipe;
}

/// Takes the softmax state of other keys, m_part, l_part and O_part (not normalised), into m, l and O:
///     m' = max(m, m_part), l = l e^(m - m') + l_part e^(m_part - m'), O likewise, m = m'
/// A part without keys, m_part = -inf, l_part = 0, O_part = 0, changes nothing; two of them give one.
RecipeDescriptor softmax_combine() {
  RecipeDescriptor recipe;
  recipe.name = "softmax_combine";
  recipe.description = "takes the online softmax state of other keys, m_part, l_part, O_part, into m, l, O";
  recipe.operands = {{"m_part", Access::read},  {"l_part", Access::read},  {"O_part", Access::read},
                     {"m", Access::read_write}, {"l", Access::read_write}, {"O", Access::read_write}};
  recipe.temporaries = {{"m_new", "m", "m"},
                        {"corr", "m", "m"},
                        {"corr_part", "m", "m"},
                        {"l_loc", "l", "l"},
                        {"O_loc", "O", "O"}};
  recipe.engine_seq = {
      {Opcode::max_elem, {"m", "m_part"}, "m_new", {}},
      {Opcode::exp_diff, {"m", "m_new"}, "corr", {}},
      {Opcode::exp_diff, {"m_part", "m_new"}, "corr_part", {}},
      {Opcode::mul, {"l_part", "corr_part"}, "l_loc", {}},
      {Opcode::fma, {"l", "corr", "l_loc"}, "l", {}},
      {Opcode::mul_bcast, {"O_part", "corr_part"}, "O_loc", {kRows}},
      {Opcode::mul_bcast, {"O", "corr"}, "O", {kRows}},
      {Opcode::add, {"O", "O_loc"}, "O", {}},
      {Opcode::copy, {"m_new"}, "m", {}},
  };
  return recipe;
}

/// P = e^(x - rowmax(x)) / rowsum of it, by rows. A row of -inf alone gives 0.
RecipeDescriptor softmax() {
  RecipeDescriptor recipe;
  recipe.name = "softmax";
  recipe.description = "hands on the softmax of each row of x, in one shot";
  recipe.operands = {{"x", Access::read}};
  recipe.primary_out = PrimaryOutSpec{{"P", "x", "x"}, "identity"};
  recipe.temporaries = {
      {"maximum", "x", DType::f32, kPerRow}, {"weights", "x", DType::f32}, {"sum", "x", DType::f32, kPerRow}};
  recipe.engine_seq = {
      {Opcode::rmax, {"x"}, "maximum", {kLastAxis}},
      {Opcode::exp_diff, {"x", "maximum"}, "weights", {std::int32_t{0}}},
      {Opcode::rsum, {"weights"}, "sum", {kLastAxis}},
      {Opcode::clamp_min, {"sum"}, "sum", {std::numeric_limits<float>::min()}},
      {Opcode::div_bcast, {"weights", "sum"}, "P", {kRows}},
  };
  return recipe;
}

/// The steps from `sum`, the sum of the squares of each row, to `factor` = 1 / sqrt(sum / K + eps). K is the
/// number of columns of x.
void append_reciprocal_root_of_mean(std::vector<RecipeStep>& steps) {
  steps.push_back({Opcode::scale, {"sum"}, "sum", {ReciprocalOfColumns{"x"}}});
  steps.push_back({Opcode::fill, {}, "factor", {ParameterValue{"eps"}}});
  steps.push_back({Opcode::add, {"factor", "sum"}, "factor", {}});
  steps.push_back({Opcode::rsqrt, {"factor"}, "factor", {}});
}

/// y = x / sqrt(mean(x^2) + eps) * weight, by rows; weight has one value a column.
RecipeDescriptor rmsnorm_linear() {
  RecipeDescriptor recipe;
  recipe.name = "rmsnorm_linear";
  recipe.description = "hands on the RMS norm of x times weight, for the linear layer that is the head";
  recipe.operands = {{"x", Access::read}, {"weight", Access::read}};
  recipe.parameters = {{"eps", 1e-5F}};
  recipe.primary_out = PrimaryOutSpec{{"y", "x", "x"}, "identity"};
  recipe.temporaries = {
      {"work", "x", DType::f32}, {"sum", "x", DType::f32, kPerRow}, {"factor", "x", DType::f32, kPerRow}};
  recipe.engine_seq = {{Opcode::mul, {"x", "x"}, "work", {}}, {Opcode::rsum, {"work"}, "sum", {kLastAxis}}};
  append_reciprocal_root_of_mean(recipe.engine_seq);
  recipe.engine_seq.push_back({Opcode::mul_bcast, {"x", "factor"}, "work", {kRows}});
  recipe.engine_seq.push_back({Opcode::mul, {"work", "weight"}, "y", {}});
  return recipe;
}

/// y = (x - mean(x)) / sqrt(variance(x) + eps) * weight + bias, by rows; weight and bias have one value a
/// column. The variance is the mean square of x - mean(x): the difference of two large means loses digits.
RecipeDescriptor layernorm_linear() {
  RecipeDescriptor recipe;
  recipe.name = "layernorm_linear";
  recipe.description =
      "hands on the layer norm of x times weight plus bias, for the linear layer that is the head";
  recipe.operands = {{"x", Access::read}, {"weight", Access::read}, {"bias", Access::read}};
  recipe.parameters = {{"eps", 1e-5F}};
  recipe.primary_out = PrimaryOutSpec{{"y", "x", "x"}, "identity"};
  recipe.temporaries = {{"centred", "x", DType::f32},
                        {"square", "x", DType::f32},
                        {"sum", "x", DType::f32, kPerRow},
                        {"factor", "x", DType::f32, kPerRow}};
  recipe.engine_seq = {{Opcode::rsum, {"x"}, "sum", {kLastAxis}},
                       {Opcode::scale, {"sum"}, "sum", {ReciprocalOfColumns{"x"}}},
                       {Opcode::sub, {"x", "sum"}, "centred", {}},
                       {Opcode::mul, {"centred", "centred"}, "square", {}},
                       {Opcode::rsum, {"square"}, "sum", {kLastAxis}}};
  append_reciprocal_root_of_mean(recipe.engine_seq);
  recipe.engine_seq.push_back({Opcode::mul_bcast, {"centred", "factor"}, "centred", {kRows}});
  recipe.engine_seq.push_back({Opcode::fma, {"centred", "weight", "bias"}, "y", {}});
  return recipe;
}

/// gelu(A.B + bias) on the GEMM's output tiles; bias has one value a column.
RecipeDescriptor linear_gelu() {
  RecipeDescriptor recipe;
  recipe.name = "linear_gelu";
  recipe.description = "adds bias to the GEMM's result and takes gelu of it, on output tiles";
  recipe.operands = {{"bias", Access::read}};
  recipe.tile_alignment = TileAlignment::tile_aligned;
  recipe.engine_seq = {{Opcode::add, {"acc", "bias"}, "acc", {}}, {Opcode::gelu, {"acc"}, "acc", {}}};
  return recipe;
}

/// silu(A.B) * other on the GEMM's output tiles: the gate of a gated MLP, with `other` its up projection.
RecipeDescriptor linear_silu_mul() {
  RecipeDescriptor recipe;
  recipe.name = "linear_silu_mul";
  recipe.description = "takes silu of the GEMM's result and multiplies it by other, on output tiles";
  recipe.operands = {{"other", Access::read}};
  recipe.tile_alignment = TileAlignment::tile_aligned;
  recipe.engine_seq = {{Opcode::silu, {"acc"}, "acc", {}}, {Opcode::mul, {"acc", "other"}, "acc", {}}};
  return recipe;
}

}  // namespace

std::vector<RecipeDescriptor> standard_recipes() {
  return {softmax_merge(),    softmax_combine(), softmax(),        rmsnorm_linear(),
          layernorm_linear(), linear_gelu(),     linear_silu_mul()};
}

}  // namespace petal
