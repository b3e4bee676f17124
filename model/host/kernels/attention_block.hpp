// SPDX-License-Identifier: Apache-2.0
//
// AttentionBlock: the attention of one block of rows: its queries, the state of its online softmax, and the
// commands of each tile of keys.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "petal/host/kernels/attention.hpp"
#include "petal/host/kernels/attention_work.hpp"

namespace petal {

class AttentionBlock {
 public:
  /// Loads the block's queries and starts the softmax: m = -inf, l = 0, O = 0.
  AttentionBlock(TlContext& tl, const AttentionArguments& arguments, const AttentionRows& rows);

  const std::vector<AttentionKeyTile>& tiles() const { return tiles_; }

  /// The masked scores [rows, keys] of a tile, as one composite: Q.K^T with scale, then soft-cap and masks on
  /// each output tile. The tile's part of the mask is loaded into the scratch scope that is open. Tiles take
  /// turns between two score buffers, so that the next tile's scores need not wait until this one's are read.
  TensorHandle issue_scores(const AttentionKeyTile& tile);

  /// Merges a tile's scores into the softmax state, multiplies its weights by the tile's values and adds them
  /// to O: one composite.
  void merge(const AttentionKeyTile& tile, const TensorHandle& scores);

  /// Stores O / l in Y. Rows that saw no key have l = 0 and give 0.
  void store_result();

 private:
  /// The tile's rows of the keys or of the values, [keys, size], in HBM.
  TensorHandle tile_of(const std::optional<TensorHandle>& past, const TensorHandle& current,
                       const AttentionKeyTile& tile) const;
  TensorHandle next_score_buffer(std::uint64_t keys);
  std::vector<CompositeEntry> score_epilogue(const AttentionKeyTile& tile);
  CompositeEntry mask_entry(const AttentionKeyTile& tile);

  TlContext& tl_;
  const AttentionProblem& problem_;
  const AttentionRows rows_;
  const TensorHandle y_;  ///< the block's rows of Y, in HBM
  const std::vector<AttentionKeyTile> tiles_;
  ScratchScope scope_;
  TensorHandle q_;  ///< [rows, head_size]
  TensorHandle m_;  ///< [rows], f32: the largest score so far
  TensorHandle l_;  ///< [rows], f32: the sum of the weights so far
  TensorHandle o_;  ///< [rows, v_head_size], f32: the weighted sum of the values so far
  std::optional<TensorHandle> scores_[2];
  std::uint64_t scores_issued_ = 0;
};

}  // namespace petal
