// SPDX-License-Identifier: Apache-2.0
//
// The tensors of one decode step, and the 322-byte composite made from them. The tensors are allocated
// without a command, so that the composite is the first.
#pragma once

#include "petal/host/tl_context.hpp"

namespace petal::test {

struct DecodeTensors {
  /// G = 4 query heads, d = 16, TILE = 8 keys unless told otherwise; V lies in HBM at `v_address`.
  explicit DecodeTensors(TlContext& tl, std::uint64_t v_address = 0x1000, std::uint64_t keys = 8,
                         std::uint64_t head_dim = 16)
      : s(tl.empty({4, keys})),
        m(tl.empty({4})),
        l(tl.empty({4})),
        o(tl.empty({4, head_dim})),
        v(tl.ref(v_address, {keys, head_dim}, DType::f16)) {}

  /// softmax_merge, P.V and O += P.V.
  TensorHandle issue_second_composite(TlContext& tl) const {
    CompositeRequest request;
    request.prologue = {CompositeEntry("softmax_merge", {{"s", s}, {"m", m}, {"l", l}, {"O", o}})};
    request.b = v;
    request.out = o;
    request.epilogue = {CompositeEntry("add", {{"other", o}})};
    return tl.composite(request);
  }

  TensorHandle s, m, l, o, v;
};

}  // namespace petal::test
