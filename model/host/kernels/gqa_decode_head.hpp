// SPDX-License-Identifier: Apache-2.0
//
// GqaDecodeHead: what the variants of gqa_decode share for one KV head: its tensors, the state of the online
// softmax, and the last step that turns the state into the output.
#pragma once

#include <cstdint>
#include <optional>

#include "petal/host/kernels/gqa_decode.hpp"
#include "petal/host/kernels/gqa_decode_arguments.hpp"

namespace petal {

class GqaDecodeHead {
 public:
  /// Loads the head's G queries and starts the softmax: m = -inf, l = 0, O = 0.
  GqaDecodeHead(TlContext& tl, const GqaDecodeArguments& arguments, std::uint64_t kv_head);

  std::uint64_t tiles() const { return tiles_; }
  /// Tile j of the head's keys and values in HBM, [keys, d].
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

  /// Stores O / l, and m and l if the arguments ask for them. A head without keys has l = 0 and gives 0.
  void store_result();

  const TensorHandle& q() const { return q_; }  ///< [G, d]
  const TensorHandle& m() const { return m_; }  ///< [G], f32: the largest score so far
  const TensorHandle& l() const { return l_; }  ///< [G], f32: the sum of the weights so far
  const TensorHandle& o() const { return o_; }  ///< [G, d], f32: the weighted sum of the values so far

 private:
  TensorHandle tile_of(std::uint64_t tensor, std::uint64_t tile) const;
  std::uint64_t keys_in(std::uint64_t tile) const;
  const TensorHandle& score_buffer(std::uint64_t tile);
  void store_state(const std::optional<std::uint64_t>& address, const TensorHandle& state);

  TlContext& tl_;
  const GqaDecodeArguments& arguments_;
  std::uint64_t kv_head_;
  std::uint64_t group_;  ///< G: query heads that share the KV head
  std::uint64_t tiles_;
  ScratchScope scope_;
  TensorHandle q_, m_, l_, o_;
  std::optional<TensorHandle> scores_[2];
  std::optional<TensorHandle> ragged_scores_;
};

/// Runs `attend(head)` between start and end of each KV head of this program.
template <typename Attend>
void for_each_kv_head(TlContext& tl, const GqaDecodeArguments& arguments, const Attend& attend) {
  check_gqa_decode_arguments(tl, arguments);
  for (std::uint64_t kv_head = tl.program_id(); kv_head < arguments.kv_heads; kv_head += tl.num_programs()) {
    GqaDecodeHead head(tl, arguments, kv_head);
    attend(head);
    head.store_result();
  }
}

}  // namespace petal
