// SPDX-License-Identifier: Apache-2.0
#include "petal/host/math_ops.hpp"

namespace petal {
namespace {

/// The axis of src_b that is spread, as the commands carry it (SPEC 11.3: carried, not interpreted).
constexpr std::int32_t kScoresAxis = 0;
constexpr std::int32_t kOutputAxis = 1;

}  // namespace

TensorHandle MathOps::max(const TensorHandle& src, int axis, const Out& out) {
  return issue_math({"max", Opcode::rmax, {src}, {std::int32_t{axis}}, out});
}

TensorHandle MathOps::sum(const TensorHandle& src, int axis, const Out& out) {
  return issue_math({"sum", Opcode::rsum, {src}, {std::int32_t{axis}}, out});
}

TensorHandle MathOps::maximum(const TensorHandle& src_a, const TensorHandle& src_b, const Out& out) {
  return issue_math({"maximum", Opcode::max_elem, {src_a, src_b}, {}, out});
}

TensorHandle MathOps::add(const TensorHandle& acc, const TensorHandle& other, const Out& out) {
  return issue_math({"add", Opcode::add, {acc, other}, {}, out});
}

TensorHandle MathOps::sub(const TensorHandle& acc, const TensorHandle& other, const Out& out) {
  return issue_math({"sub", Opcode::sub, {acc, other}, {}, out});
}

TensorHandle MathOps::mul(const TensorHandle& acc, const TensorHandle& other, const Out& out) {
  return issue_math({"mul", Opcode::mul, {acc, other}, {}, out});
}

TensorHandle MathOps::div(const TensorHandle& acc, const TensorHandle& other, const Out& out) {
  return issue_math({"div", Opcode::div, {acc, other}, {}, out});
}

TensorHandle MathOps::fma(const TensorHandle& src_a, const TensorHandle& src_b, const TensorHandle& src_c,
                          const Out& out) {
  return issue_math({"fma", Opcode::fma, {src_a, src_b, src_c}, {}, out});
}

TensorHandle MathOps::exp_diff(const TensorHandle& src_a, const TensorHandle& src_b, const Out& out) {
  ScalarList scalars;
  if (src_b.shape != src_a.shape) scalars.emplace_back(kScoresAxis);
  return issue_math({"exp_diff", Opcode::exp_diff, {src_a, src_b}, std::move(scalars), out});
}

TensorHandle MathOps::mul_bcast(const TensorHandle& src_a, const TensorHandle& src_b, const Out& out) {
  return issue_math({"mul_bcast", Opcode::mul_bcast, {src_a, src_b}, {kOutputAxis}, out});
}

TensorHandle MathOps::div_bcast(const TensorHandle& src_a, const TensorHandle& src_b, const Out& out) {
  return issue_math({"div_bcast", Opcode::div_bcast, {src_a, src_b}, {kOutputAxis}, out});
}

TensorHandle MathOps::copy(const TensorHandle& src, const Out& out) {
  return issue_math({"copy", Opcode::copy, {src}, {}, out});
}

TensorHandle MathOps::scale(const TensorHandle& src, float factor, const Out& out) {
  return issue_math({"scale", Opcode::scale, {src}, {factor}, out});
}

TensorHandle MathOps::clamp_min(const TensorHandle& src, float floor, const Out& out) {
  return issue_math({"clamp_min", Opcode::clamp_min, {src}, {floor}, out});
}

TensorHandle MathOps::neg(const TensorHandle& src, const Out& out) {
  return issue_math({"neg", Opcode::neg, {src}, {}, out});
}

TensorHandle MathOps::exp(const TensorHandle& src, const Out& out) {
  return issue_math({"exp", Opcode::exp, {src}, {}, out});
}

TensorHandle MathOps::relu(const TensorHandle& src, const Out& out) {
  return issue_math({"relu", Opcode::relu, {src}, {}, out});
}

TensorHandle MathOps::gelu(const TensorHandle& src, const Out& out) {
  return issue_math({"gelu", Opcode::gelu, {src}, {}, out});
}

TensorHandle MathOps::tanh(const TensorHandle& src, const Out& out) {
  return issue_math({"tanh", Opcode::tanh, {src}, {}, out});
}

TensorHandle MathOps::rsqrt(const TensorHandle& src, const Out& out) {
  return issue_math({"rsqrt", Opcode::rsqrt, {src}, {}, out});
}

TensorHandle MathOps::sigmoid(const TensorHandle& src, const Out& out) {
  return issue_math({"sigmoid", Opcode::sigmoid, {src}, {}, out});
}

TensorHandle MathOps::silu(const TensorHandle& src, const Out& out) {
  return issue_math({"silu", Opcode::silu, {src}, {}, out});
}

TensorHandle MathOps::softcap(const TensorHandle& src, float cap, const Out& out) {
  return issue_math({"softcap", Opcode::softcap, {src}, {cap}, out});
}

TensorHandle MathOps::band_mask(const TensorHandle& src, std::int32_t low, std::int32_t high,
                                const Out& out) {
  return issue_math({"band_mask", Opcode::band_mask, {src}, {low, high}, out});
}

TensorHandle MathOps::where(const TensorHandle& src, const TensorHandle& mask, float fill, const Out& out) {
  return issue_math({"where", Opcode::where, {src, mask}, {fill}, out});
}

}  // namespace petal
