// SPDX-License-Identifier: Apache-2.0
#include "command_equality.hpp"

#include <algorithm>
#include <cstring>

namespace petal::test {
namespace {

bool same(const TensorHandle& a, const TensorHandle& b) {
  return a.same_tensor(b);
}

bool same(float a, float b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

bool same(const ScalarValue& a, const ScalarValue& b) {
  if (a.index() != b.index()) return false;
  return std::holds_alternative<float>(a) ? same(std::get<float>(a), std::get<float>(b)) : a == b;
}

template <typename T>
bool same(const std::optional<T>& a, const std::optional<T>& b) {
  return a.has_value() == b.has_value() && (!a || same(*a, *b));
}

bool same(const OpSpec& a, const OpSpec& b);

template <typename List>
bool same_lists(const List& a, const List& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) { return same(x, y); });
}

bool same(const OpSpec& a, const OpSpec& b) {
  return a.kind == b.kind && a.scope == b.scope && same_lists(a.operands, b.operands) &&
         same_lists(a.extras, b.extras) && same(a.out, b.out);
}

template <typename Dma>
bool same_dma(const Dma& a, const Dma& b) {
  return same(a.src, b.src) && same(a.dst, b.dst) && a.nbytes == b.nbytes;
}

bool same(const DmaReadCmd& a, const DmaReadCmd& b) {
  return same_dma(a, b);
}
bool same(const DmaWriteCmd& a, const DmaWriteCmd& b) {
  return same_dma(a, b);
}
bool same(const GemmCmd& a, const GemmCmd& b) {
  return same(a.a, b.a) && same(a.b, b.b) && same(a.out, b.out) && a.m == b.m && a.k == b.k && a.n == b.n &&
         same(a.scale, b.scale);
}
bool same(const MathCmd& a, const MathCmd& b) {
  return a.kind == b.kind && same_lists(a.operands, b.operands) && same_lists(a.extras, b.extras) &&
         same(a.out, b.out);
}
bool same(const CompositeCmd& a, const CompositeCmd& b) {
  return same_lists(a.ops, b.ops) && same_lists(a.rw_handles, b.rw_handles);
}
bool same(const OverheadCmd& a, const OverheadCmd& b) {
  return a.cycles == b.cycles;
}

}  // namespace

bool same_command(const PeCommand& a, const PeCommand& b) {
  if (a.index() != b.index()) return false;
  const CommandFraming& x = framing_of(a);
  const CommandFraming& y = framing_of(b);
  if (x.completion != y.completion || x.data_op != y.data_op) return false;
  return std::visit([&b](const auto& left) { return same(left, std::get<std::decay_t<decltype(left)>>(b)); },
                    a);
}

PeCommand with_wire_completion(PeCommand command) {
  framing_of(command).completion %= kWireCompletionModulus;
  return command;
}

}  // namespace petal::test
