// SPDX-License-Identifier: Apache-2.0
#include "petal/host/composite_request.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace petal {
namespace {

bool same(const TensorHandle& a, const TensorHandle& b) {
  return a.same_tensor(b);
}

/// By their bits: 0 and -0 are two scalars, and a NaN is equal to itself.
bool same(float a, float b) {
  std::array<std::uint32_t, 2> bits{};
  std::memcpy(&bits[0], &a, sizeof a);
  std::memcpy(&bits[1], &b, sizeof b);
  return bits[0] == bits[1];
}

bool same(const NamedScalar& a, const NamedScalar& b) {
  if (a.first != b.first || a.second.index() != b.second.index()) return false;
  const auto* const number = std::get_if<float>(&a.second);
  return number ? same(*number, std::get<float>(b.second)) : a.second == b.second;
}

bool same(const NamedOperand& a, const NamedOperand& b) {
  return a.access == b.access && a.handle.same_tensor(b.handle) && a.name == b.name;
}

bool same(const CompositeEntry& a, const CompositeEntry& b);

template <typename T>
bool same(const std::optional<T>& a, const std::optional<T>& b) {
  return a.has_value() == b.has_value() && (!a || same(*a, *b));
}

template <typename T>
bool same_lists(const std::vector<T>& a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const T& x, const T& y) { return same(x, y); });
}

bool same(const CompositeEntry& a, const CompositeEntry& b) {
  return a.scope == b.scope && same_lists(a.operands, b.operands) && same_lists(a.scalars, b.scalars) &&
         same(a.out, b.out) && a.op == b.op;
}

/// True if the two are one tensor, or would be if they were moved to one address.
bool same_form(const std::optional<TensorHandle>& a, const std::optional<TensorHandle>& b) {
  return a.has_value() == b.has_value() && (!a || (a->shape == b->shape && a->strides == b->strides &&
                                                   a->dtype == b->dtype && a->space == b->space));
}

}  // namespace

bool same_but_for_address_of_b(const CompositeRequest& x, const CompositeRequest& y) {
  return same(x.out, y.out) && same(x.a, y.a) && same_form(x.b, y.b) && same(x.c, y.c) &&
         same(x.scale, y.scale) && x.out_ptr == y.out_ptr && x.out_dtype == y.out_dtype && x.op == y.op &&
         x.math_op == y.math_op && same_lists(x.math_scalars, y.math_scalars) &&
         same_lists(x.prologue, y.prologue) && same_lists(x.epilogue, y.epilogue);
}

}  // namespace petal
