// SPDX-License-Identifier: Apache-2.0
//
// The tensors of one decode step, and the composite of ADR-0065's test 2 made from them.
#pragma once

#include "host/recording_sink.hpp"

namespace petal::test {

/// G = 4 query heads, d = 16, TILE = 8 keys.
struct DecodeFixture : Bench {
  explicit DecodeFixture(const TlOptions& options = {}) : Bench(options) {
    q = tl.zeros({4, 16}, DType::f16);
    s = tl.empty({4, 8});
    m = tl.full({4}, -1.0F);
    l = tl.zeros({4});
    o = tl.zeros({4, 16});
    v = tl.ref(0x1000, {8, 16}, DType::f16);
    issued_by_setup = sink.issued.size();
  }

  CompositeEntry merge() const {
    return CompositeEntry("softmax_merge", {{"s", s}, {"m", m}, {"l", l}, {"O", o}});
  }

  CompositeRequest second_composite() const {
    CompositeRequest request;
    request.prologue = {merge()};
    request.b = v;
    request.out = o;
    request.epilogue = {CompositeEntry("add", {{"other", o}})};
    return request;
  }

  /// q [4, 16] times the transposed keys [16, 8].
  CompositeRequest plain_gemm() const {
    CompositeRequest request;
    request.a = q;
    request.b = tl.trans(tl.ref(0x4000, {8, 16}, DType::f16));
    return request;
  }

  TensorHandle q, s, m, l, o, v;
  std::size_t issued_by_setup = 0;
};

}  // namespace petal::test
