// SPDX-License-Identifier: Apache-2.0
#include "petal/host/kernels/gqa_decode_head.hpp"

#include <algorithm>
#include <limits>

namespace petal {

GqaDecodeHead::GqaDecodeHead(TlContext& tl, const GqaDecodeArguments& arguments, std::uint64_t kv_head)
    : tl_(tl),
      arguments_(arguments),
      kv_head_(kv_head),
      group_(arguments.q_heads / arguments.kv_heads),
      tiles_(gqa_decode_tiles(arguments) / arguments.kv_heads),
      scope_(tl.scratch_scope()) {
  const std::uint64_t d = arguments.head_dim;
  const std::uint64_t queries = arguments.q + kv_head * group_ * d * size_of(arguments.dtype);
  q_ = tl.load(tl.ref(queries, {group_, d}, arguments.dtype));
  m_ = tl.full({group_}, -std::numeric_limits<float>::infinity());
  l_ = tl.zeros({group_});
  o_ = tl.zeros({group_, d});
}

std::uint64_t GqaDecodeHead::keys_in(std::uint64_t tile) const {
  return std::min(arguments_.tile, arguments_.kv_len - tile * arguments_.tile);
}

TensorHandle GqaDecodeHead::tile_of(std::uint64_t tensor, std::uint64_t tile) const {
  const std::uint64_t first_key = kv_head_ * arguments_.kv_len + tile * arguments_.tile;
  const std::uint64_t key_bytes = arguments_.head_dim * size_of(arguments_.dtype);
  return tl_.ref(tensor + first_key * key_bytes, {keys_in(tile), arguments_.head_dim}, arguments_.dtype);
}

const TensorHandle& GqaDecodeHead::score_buffer(std::uint64_t tile) {
  const std::uint64_t keys = keys_in(tile);
  std::optional<TensorHandle>& buffer = keys == arguments_.tile ? scores_[tile % 2] : ragged_scores_;
  if (!buffer) buffer = tl_.empty({group_, keys});
  return *buffer;
}

TensorHandle GqaDecodeHead::issue_scores(std::uint64_t tile) {
  CompositeRequest request;
  request.a = q_;
  request.b = tl_.trans(keys(tile));
  request.scale = scale();
  request.out = score_buffer(tile);
  return tl_.composite(request);
}

TensorHandle GqaDecodeHead::merge(const TensorHandle& scores) {
  const TensorHandle m_loc = tl_.max(scores);
  const TensorHandle m_new = tl_.maximum(m_, m_loc);
  const TensorHandle corr = tl_.exp_diff(m_, m_new);
  const TensorHandle p = tl_.exp_diff(scores, m_new);
  const TensorHandle l_loc = tl_.sum(p);
  tl_.fma(l_, corr, l_loc, l_);
  tl_.mul_bcast(o_, corr, o_);
  tl_.copy(m_new, m_);
  return p;
}

void GqaDecodeHead::store_state(const std::optional<std::uint64_t>& address, const TensorHandle& state) {
  if (!address) return;
  tl_.store(tl_.ref(*address + kv_head_ * group_ * size_of(DType::f32), {group_}, DType::f32), state);
}

void GqaDecodeHead::store_result() {
  store_state(arguments_.m, m_);
  store_state(arguments_.l, l_);
  const TensorHandle divisor = tl_.clamp_min(l_, std::numeric_limits<float>::min());
  const TensorHandle normalised = tl_.div_bcast(o_, divisor, tl_.empty(o_.shape, arguments_.out_dtype));
  const std::uint64_t row_bytes = arguments_.head_dim * size_of(arguments_.out_dtype);
  tl_.store(tl_.ref(arguments_.o + kv_head_ * group_ * row_bytes, o_.shape, arguments_.out_dtype),
            normalised);
}

}  // namespace petal
