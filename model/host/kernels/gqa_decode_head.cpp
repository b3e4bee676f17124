// SPDX-License-Identifier: Apache-2.0
#include "petal/host/kernels/gqa_decode_head.hpp"

#include <algorithm>

#include "petal/command/integer_math.hpp"

namespace petal {

GqaDecodeHead::GqaDecodeHead(TlContext& tl, const GqaDecodeArguments& arguments, std::uint64_t kv_head,
                             const IndexRange& keys)
    : tl_(tl),
      arguments_(arguments),
      kv_head_(kv_head),
      keys_(keys),
      group_(arguments.q_heads / arguments.kv_heads),
      tiles_(divide_up(keys.size(), arguments.tile)),
      scope_(tl.scratch_scope()),
      q_(load_queries()),
      state_(tl, arguments, kv_head) {}

TensorHandle GqaDecodeHead::load_queries() {
  const std::uint64_t d = arguments_.head_dim;
  const std::uint64_t queries = arguments_.q + kv_head_ * group_ * d * size_of(arguments_.dtype);
  return tl_.load(tl_.ref(queries, {group_, d}, arguments_.dtype));
}

std::uint64_t GqaDecodeHead::keys_in(std::uint64_t tile) const {
  return std::min(arguments_.tile, keys_.size() - tile * arguments_.tile);
}

TensorHandle GqaDecodeHead::tile_of(std::uint64_t tensor, std::uint64_t tile) const {
  const std::uint64_t first_key = kv_head_ * arguments_.kv_len + keys_.begin + tile * arguments_.tile;
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
  const TensorHandle m_new = tl_.maximum(m(), m_loc);
  const TensorHandle corr = tl_.exp_diff(m(), m_new);
  const TensorHandle p = tl_.exp_diff(scores, m_new);
  const TensorHandle l_loc = tl_.sum(p);
  tl_.fma(l(), corr, l_loc, l());
  tl_.mul_bcast(o(), corr, o());
  tl_.copy(m_new, m());
  return p;
}

void GqaDecodeHead::attend(std::uint64_t tile) {
  const TensorHandle scores = issue_scores(tile);
  const ScratchScope tile_scope = tl_.scratch_scope();
  CompositeRequest request;
  request.prologue.push_back(
      CompositeEntry("softmax_merge", {{"s", scores}, {"m", m()}, {"l", l()}, {"O", o()}}));
  request.b = values(tile);
  request.out = o();
  request.epilogue.push_back(CompositeEntry("add", {{"other", o()}}));
  tl_.composite(request);
}

}  // namespace petal
