// SPDX-License-Identifier: Apache-2.0
//
// GqaDecodeHead: what the variants of gqa_decode share for one KV head: its tensors, its tiles of keys, and
// the state of the online softmax.
#pragma once

#include <cstdint>
#include <optional>

#include "petal/host/kernels/gqa_decode.hpp"
#include "petal/host/kernels/gqa_decode_arguments.hpp"
#include "petal/host/kernels/gqa_decode_state.hpp"
#include "petal/host/kernels/work_share.hpp"

namespace petal {

class GqaDecodeHead {
 public:
  /// Loads the head's G queries and starts the softmax: m = -inf, l = 0, O = 0. It is to attend to `keys`
  /// only.
  GqaDecodeHead(TlContext& tl, const GqaDecodeArguments& arguments, std::uint64_t kv_head,
                const IndexRange& keys);

  std::uint64_t tiles() const { return tiles_; }
  /// Tile j of its keys and values in HBM, [keys, d].
  TensorHandle keys(std::uint64_t tile) const { return tile_of(arguments_.k, tile); }
  TensorHandle values(std::uint64_t tile) const { return tile_of(arguments_.v, tile); }
  float scale() const { return gqa_decode_scale(arguments_); }

  /// Scores of tile j against all G queries, as one composite: Q.K^T with scale into the score buffer of tile
  /// j. Tiles take turns between two buffers, so that the next tile's scores need not wait until this one's
  /// are read.
  TensorHandle issue_scores(std::uint64_t tile);

  /// The eight primitives of the merge (the steps of the softmax_merge recipe). Returns P; it belongs to the
  /// scratch scope that is open.
  TensorHandle merge(const TensorHandle& scores);

  /// The two composites of tile j: the scores, and softmax_merge fused with P.V and the add.
  void attend(std::uint64_t tile);

  /// As GqaDecodeState::store_result.
  void store_result() { state_.store_result(); }

  const TensorHandle& q() const { return q_; }  ///< [G, d]
  const TensorHandle& m() const { return state_.m(); }
  const TensorHandle& l() const { return state_.l(); }
  const TensorHandle& o() const { return state_.o(); }

 private:
  TensorHandle tile_of(std::uint64_t tensor, std::uint64_t tile) const;
  std::uint64_t keys_in(std::uint64_t tile) const;
  TensorHandle load_queries();
  const TensorHandle& score_buffer(std::uint64_t tile);

  TlContext& tl_;
  const GqaDecodeArguments& arguments_;
  std::uint64_t kv_head_;
  IndexRange keys_;
  std::uint64_t group_;  ///< G: query heads that share the KV head
  std::uint64_t tiles_;
  ScratchScope scope_;
  TensorHandle q_;
  GqaDecodeState state_;
  std::optional<TensorHandle> scores_[2];
  std::optional<TensorHandle> ragged_scores_;
};

/// Runs `attend(head)` between start and end of each KV head of this program.
template <typename Attend>
void for_each_kv_head(TlContext& tl, const GqaDecodeArguments& arguments, const Attend& attend) {
  check_gqa_decode_arguments(tl, arguments);
  for (std::uint64_t kv_head = tl.program_id(); kv_head < arguments.kv_heads; kv_head += tl.num_programs()) {
    GqaDecodeHead head(tl, arguments, kv_head, {0, arguments.kv_len});
    attend(head);
    head.store_result();
  }
}

}  // namespace petal
