// SPDX-License-Identifier: Apache-2.0
//
// MathOps: the MATH operations of `tl`, by Triton's names. Each issues one primitive command on tensors in
// TCM and returns its result at once, pending.
//
// Without `out` the result goes to new scratch of the first operand's dtype (a reduction takes its source's);
// with it, to that tensor, which may be an operand itself unless the op reduces. Arithmetic is f32 whatever
// the dtypes are. All throw EmitError: an operand in HBM or freed, shapes or dtypes that do not go together,
// an out that overlaps an operand, no scratch left.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "petal/command/op_spec.hpp"

namespace petal {

/// One MATH operation as a kernel called it.
struct MathCall {
  std::string_view name;  ///< the method's, for messages
  Opcode op;
  OperandList operands;
  ScalarList scalars;
  std::optional<TensorHandle> out;
};

class MathOps {
 public:
  using Out = std::optional<TensorHandle>;

  /// Largest value, and sum, along the last axis (axis -1, or its number): [G, N] gives [G].
  TensorHandle max(const TensorHandle& src, int axis = -1, const Out& out = {});
  TensorHandle sum(const TensorHandle& src, int axis = -1, const Out& out = {});

  /// Elementwise. The first operand has the result's shape [M, N]; the other one too, or it is one value for
  /// each column ([N], [1, N]), for each row ([M, 1]) or for all ([1]).
  TensorHandle maximum(const TensorHandle& src_a, const TensorHandle& src_b, const Out& out = {});
  TensorHandle add(const TensorHandle& acc, const TensorHandle& other, const Out& out = {});
  TensorHandle sub(const TensorHandle& acc, const TensorHandle& other, const Out& out = {});
  TensorHandle mul(const TensorHandle& acc, const TensorHandle& other, const Out& out = {});
  TensorHandle div(const TensorHandle& acc, const TensorHandle& other, const Out& out = {});
  /// src_a * src_b + src_c; src_b and src_c as `other` above.
  TensorHandle fma(const TensorHandle& src_a, const TensorHandle& src_b, const TensorHandle& src_c,
                   const Out& out = {});

  /// e^(src_a - src_b), 0 where both are -inf. src_b has src_a's shape, or one value for each of its rows.
  TensorHandle exp_diff(const TensorHandle& src_a, const TensorHandle& src_b, const Out& out = {});
  /// Row g of src_a times, or divided by, value g of src_b.
  TensorHandle mul_bcast(const TensorHandle& src_a, const TensorHandle& src_b, const Out& out = {});
  TensorHandle div_bcast(const TensorHandle& src_a, const TensorHandle& src_b, const Out& out = {});

  /// Of one operand.
  TensorHandle copy(const TensorHandle& src, const Out& out = {});
  TensorHandle scale(const TensorHandle& src, float factor, const Out& out = {});
  TensorHandle clamp_min(const TensorHandle& src, float floor, const Out& out = {});
  TensorHandle neg(const TensorHandle& src, const Out& out = {});
  TensorHandle exp(const TensorHandle& src, const Out& out = {});
  TensorHandle relu(const TensorHandle& src, const Out& out = {});
  TensorHandle gelu(const TensorHandle& src, const Out& out = {});
  TensorHandle tanh(const TensorHandle& src, const Out& out = {});
  TensorHandle rsqrt(const TensorHandle& src, const Out& out = {});
  TensorHandle sigmoid(const TensorHandle& src, const Out& out = {});
  TensorHandle silu(const TensorHandle& src, const Out& out = {});
  /// cap * tanh(src / cap).
  TensorHandle softcap(const TensorHandle& src, float cap, const Out& out = {});

  /// src[i, j] where low <= j - i <= high, elsewhere -inf.
  TensorHandle band_mask(const TensorHandle& src, std::int32_t low, std::int32_t high, const Out& out = {});
  /// src where mask (boolean or i8, of a shape as `other` above) is not 0, elsewhere fill.
  TensorHandle where(const TensorHandle& src, const TensorHandle& mask, float fill, const Out& out = {});

 protected:
  ~MathOps() = default;
  /// Checks and issues `call`; returns its out with `pending` set.
  virtual TensorHandle issue_math(const MathCall& call) = 0;
};

}  // namespace petal
