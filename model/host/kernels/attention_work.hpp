// SPDX-License-Identifier: Apache-2.0
//
// How the attention kernel cuts its work: blocks of rows, and for each block the tiles of keys it has to
// read.
#pragma once

#include <cstdint>
#include <vector>

#include "petal/host/kernels/attention.hpp"

namespace petal {

/// Rows that attend together to the keys of one KV head: `count` queries of query head `head` from `query`
/// on, or, where a head has one query, `count` query heads from `head` on.
struct AttentionRows {
  std::uint64_t batch = 0;
  std::uint64_t kv_head = 0;
  std::uint64_t head = 0;
  std::uint64_t query = 0;
  std::uint64_t count = 0;
  bool are_heads = false;

  /// The rows' part of a tensor [batch, q_heads, q_len, size] in HBM, as [count, size].
  TensorHandle of(const TensorHandle& tensor) const;
};

/// Keys [first, first + count) of all keys; they lie either all in the past or all in K.
struct AttentionKeyTile {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// Row blocks over all programs; 0 if Y has no elements.
std::uint64_t attention_row_blocks(const AttentionArguments& arguments);
/// Precondition: index < attention_row_blocks(arguments).
AttentionRows attention_rows(const AttentionArguments& arguments, std::uint64_t index);

/// From the first to the last key that one of the rows sees, the explicit mask left aside.
KeyInterval attention_keys(const AttentionProblem& problem, const AttentionRows& rows);
/// The tiles of these keys, in order.
std::vector<AttentionKeyTile> attention_key_tiles(const AttentionArguments& arguments,
                                                  const AttentionRows& rows);

/// The band of the batch as seen from the block: entry [r, j] of the tile's scores is seen if
/// low <= j - r <= high. Entries that the tile does not have may be let in or not.
KeyBand attention_band(const AttentionProblem& problem, const AttentionRows& rows,
                       const AttentionKeyTile& tile);
/// True if every row sees every key of the tile, as far as `band` is concerned.
bool sees_all(const KeyBand& band, const AttentionRows& rows, const AttentionKeyTile& tile);

}  // namespace petal
