// SPDX-License-Identifier: Apache-2.0
#include "petal/host/kernels/gqa_decode_state.hpp"

#include <limits>

namespace petal {

GqaDecodeState::GqaDecodeState(TlContext& tl, const GqaDecodeArguments& arguments, std::uint64_t kv_head)
    : tl_(tl), arguments_(arguments), first_query_(kv_head * (arguments.q_heads / arguments.kv_heads)) {
  const std::uint64_t group = arguments.q_heads / arguments.kv_heads;
  m_ = tl.full({group}, -std::numeric_limits<float>::infinity());
  l_ = tl.zeros({group});
  o_ = tl.zeros({group, arguments.head_dim});
}

void GqaDecodeState::store_state(const std::optional<std::uint64_t>& address, const TensorHandle& state) {
  if (!address) return;
  tl_.store(tl_.ref(*address + first_query_ * size_of(DType::f32), state.shape, DType::f32), state);
}

void GqaDecodeState::store_result() {
  store_state(arguments_.m, m_);
  store_state(arguments_.l, l_);
  const TensorHandle divisor = tl_.clamp_min(l_, std::numeric_limits<float>::min());
  const TensorHandle normalised = tl_.div_bcast(o_, divisor, tl_.empty(o_.shape, arguments_.out_dtype));
  const std::uint64_t row_bytes = arguments_.head_dim * size_of(arguments_.out_dtype);
  tl_.store(tl_.ref(arguments_.o + first_query_ * row_bytes, o_.shape, arguments_.out_dtype), normalised);
}

}  // namespace petal
