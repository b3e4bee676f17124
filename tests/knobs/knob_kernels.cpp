// SPDX-License-Identifier: Apache-2.0
#include "knobs/knob_kernels.hpp"

#include "petal/command/error.hpp"

namespace petal::test {

void streamed_product(TlContext& tl) {
  CompositeRequest request;
  request.a = tl.ref(0x0, {32, 1024}, DType::f16);
  request.b = tl.ref(0x100000, {1024, 32}, DType::f16);
  request.out = tl.ref(0x200000, {32, 32}, DType::f32);
  tl.composite(request);
}

void product_beside_exp(TlContext& tl) {
  const TensorHandle a = tl.empty({256, 64}, DType::f16);
  tl.dot(a, tl.trans(a));
  tl.exp(tl.empty({64, 64}));
}

void strided_load(TlContext& tl) {
  tl.load(tl.ref(0, {8, 128}, DType::f16, {1024, 1}));
}

void streamed_math(TlContext& tl) {
  tl.load(tl.ref(0, {32, 32}, DType::f16));
  CompositeRequest request;
  request.op = "math";
  request.math_op = "relu";
  request.a = tl.ref(0, {64, 64}, DType::f16);
  request.out_ptr = 0x10000;
  try {
    tl.composite(request);
  } catch (const EmitError&) {
    return;  // nothing has been issued
  }
}

void ragged_load(TlContext& tl) {
  tl.load(tl.ref(58, {3, 141}, DType::f16, {500, 1}));
}

}  // namespace petal::test
