// SPDX-License-Identifier: Apache-2.0
#include "petal/host/kernels/attention_work.hpp"

#include <algorithm>

#include "petal/command/integer_math.hpp"

namespace petal {
namespace {

bool rows_are_heads(const AttentionProblem& problem) {
  return problem.q_len == 1;
}

/// Rows that can share a block: the heads of a group, or the queries of a head.
std::uint64_t rows_that_share(const AttentionProblem& problem) {
  return rows_are_heads(problem) ? problem.group() : problem.q_len;
}

std::uint64_t blocks_that_share(const AttentionArguments& arguments) {
  return divide_up(rows_that_share(arguments.problem), arguments.row_block);
}

void append_tiles(std::vector<AttentionKeyTile>& tiles, std::uint64_t first, std::uint64_t end,
                  std::uint64_t tile) {
  for (std::uint64_t key = first; key < end; key += std::min(tile, end - key))
    tiles.push_back({key, std::min(tile, end - key)});
}

}  // namespace

TensorHandle AttentionRows::of(const TensorHandle& tensor) const {
  const std::uint64_t offset =
      batch * tensor.strides[0] + head * tensor.strides[1] + query * tensor.strides[2];
  TensorHandle rows = tensor;
  rows.address += offset * size_of(tensor.dtype);
  rows.shape = {count, tensor.shape[3]};
  rows.strides = {tensor.strides[are_heads ? 1 : 2], tensor.strides[3]};
  return rows;
}

std::uint64_t attention_row_blocks(const AttentionArguments& arguments) {
  const AttentionProblem& problem = arguments.problem;
  if (problem.y.elements() == 0) return 0;
  const std::uint64_t heads = rows_are_heads(problem) ? problem.kv_heads : problem.q_heads;
  return problem.batch * heads * blocks_that_share(arguments);
}

AttentionRows attention_rows(const AttentionArguments& arguments, std::uint64_t index) {
  const AttentionProblem& problem = arguments.problem;
  const std::uint64_t blocks = blocks_that_share(arguments);
  const std::uint64_t first = index % blocks * arguments.row_block;
  const std::uint64_t heads = rows_are_heads(problem) ? problem.kv_heads : problem.q_heads;
  const std::uint64_t head = index / blocks % heads;
  AttentionRows rows;
  rows.batch = index / blocks / heads;
  rows.count = std::min(arguments.row_block, rows_that_share(problem) - first);
  rows.are_heads = rows_are_heads(problem);
  rows.kv_head = rows.are_heads ? head : head / problem.group();
  rows.head = rows.are_heads ? head * problem.group() + first : head;
  rows.query = rows.are_heads ? 0 : first;
  return rows;
}

KeyInterval attention_keys(const AttentionProblem& problem, const AttentionRows& rows) {
  KeyInterval all;
  const std::uint64_t queries = rows.are_heads ? 1 : rows.count;
  for (std::uint64_t query = rows.query; query < rows.query + queries; ++query) {
    const KeyInterval keys = problem.keys_of(rows.batch, query);
    if (keys.first == keys.end) continue;
    const bool is_first = all.first == all.end;
    all.first = is_first ? keys.first : std::min(all.first, keys.first);
    all.end = std::max(all.end, keys.end);
  }
  return all;
}

std::vector<AttentionKeyTile> attention_key_tiles(const AttentionArguments& arguments,
                                                  const AttentionRows& rows) {
  const KeyInterval keys = attention_keys(arguments.problem, rows);
  const std::uint64_t past = arguments.problem.past_len;
  std::vector<AttentionKeyTile> tiles;
  append_tiles(tiles, keys.first, std::min(keys.end, past), arguments.tile);
  append_tiles(tiles, std::max(keys.first, past), keys.end, arguments.tile);
  return tiles;
}

KeyBand attention_band(const AttentionProblem& problem, const AttentionRows& rows,
                       const AttentionKeyTile& tile) {
  KeyBand band = problem.bands[rows.batch];
  const auto shift = static_cast<std::int64_t>(rows.query) - static_cast<std::int64_t>(tile.first);
  if (band.low != KeyBand::kNoLow) band.low += shift;
  if (band.high != KeyBand::kNoHigh) band.high += shift;
  return band;
}

bool sees_all(const KeyBand& band, const AttentionRows& rows, const AttentionKeyTile& tile) {
  const auto last_row = static_cast<std::int64_t>(rows.are_heads ? 0 : rows.count - 1);
  const auto last_key = static_cast<std::int64_t>(tile.count - 1);
  return band.low <= -last_row && last_key <= band.high;
}

}  // namespace petal
