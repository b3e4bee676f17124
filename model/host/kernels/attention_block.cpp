// SPDX-License-Identifier: Apache-2.0
#include "petal/host/kernels/attention_block.hpp"

#include <algorithm>
#include <limits>

namespace petal {
namespace {

constexpr float kMasked = -std::numeric_limits<float>::infinity();

/// A bound of a band as a command's scalar. Rows and columns of a matrix are counted in 31 bits, so a bound
/// beyond them limits nothing, or everything.
std::int32_t band_scalar(std::int64_t bound) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>(std::clamp(bound, kLeast, kMost));
}

CompositeEntry band_entry(const KeyBand& band) {
  CompositeEntry entry("band_mask");
  entry.scalars = {{"low", band_scalar(band.low)}, {"high", band_scalar(band.high)}};
  return entry;
}

std::uint64_t most_keys(const std::vector<AttentionKeyTile>& tiles) {
  std::uint64_t most = 0;
  for (const AttentionKeyTile& tile : tiles) most = std::max(most, tile.count);
  return most;
}

}  // namespace

AttentionBlock::AttentionBlock(TlContext& tl, const AttentionArguments& arguments, const AttentionRows& rows)
    : tl_(tl),
      problem_(arguments.problem),
      rows_(rows),
      y_(rows.of(arguments.problem.y_at(arguments.y))),
      tiles_(attention_key_tiles(arguments, rows)),
      scope_(tl.scratch_scope()) {
  q_ = tl.load(rows.of(problem_.q));
  m_ = tl.full({rows.count}, kMasked);
  l_ = tl.zeros({rows.count});
  o_ = tl.zeros({rows.count, problem_.v_head_size});
  for (std::size_t buffer = 0; buffer < std::min<std::size_t>(tiles_.size(), 2); ++buffer)
    scores_[buffer] = tl.empty({rows.count, most_keys(tiles_)});
}

TensorHandle AttentionBlock::tile_of(const std::optional<TensorHandle>& past, const TensorHandle& current,
                                     const AttentionKeyTile& tile) const {
  const bool is_past = tile.first < problem_.past_len;
  const TensorHandle& tensor = is_past ? *past : current;
  const std::uint64_t first = is_past ? tile.first : tile.first - problem_.past_len;
  const std::uint64_t offset =
      rows_.batch * tensor.strides[0] + rows_.kv_head * tensor.strides[1] + first * tensor.strides[2];
  return tl_.ref(tensor.address + offset * size_of(tensor.dtype), {tile.count, tensor.shape[3]}, tensor.dtype,
                 {tensor.strides[2], tensor.strides[3]});
}

TensorHandle AttentionBlock::next_score_buffer(std::uint64_t keys) {
  TensorHandle buffer = *scores_[scores_issued_++ % 2];
  buffer.shape[1] = keys;
  buffer.strides = row_major_strides(buffer.shape);
  return buffer;
}

TensorHandle AttentionBlock::issue_scores(const AttentionKeyTile& tile) {
  CompositeRequest request;
  request.a = q_;
  request.b = tl_.trans(tile_of(problem_.past_key, problem_.k, tile));
  request.scale = static_cast<float>(problem_.scale);
  request.out = next_score_buffer(tile.count);
  request.epilogue = score_epilogue(tile);
  return tl_.composite(request);
}

std::vector<CompositeEntry> AttentionBlock::score_epilogue(const AttentionKeyTile& tile) {
  std::vector<CompositeEntry> epilogue;
  if (problem_.softcap > 0.0) {
    epilogue.emplace_back("softcap");
    epilogue.back().scalars = {{"cap", static_cast<float>(problem_.softcap)}};
  }
  if (problem_.mask) epilogue.push_back(mask_entry(tile));
  const KeyBand band = attention_band(problem_, rows_, tile);
  if (!sees_all(band, rows_, tile)) epilogue.push_back(band_entry(band));
  return epilogue;
}

CompositeEntry AttentionBlock::mask_entry(const AttentionKeyTile& tile) {
  TensorHandle mask = rows_.of(*problem_.mask);
  mask.address += tile.first * mask.strides[1] * size_of(mask.dtype);
  mask.shape[1] = tile.count;
  if (mask.strides[0] == 0) mask.shape[0] = 1;  // one row for all of the block
  const TensorHandle loaded = tl_.load(mask);
  if (mask.dtype != DType::boolean) return CompositeEntry("add", {{"other", loaded}});
  CompositeEntry entry("where", {{"mask", loaded}});
  entry.scalars = {{"fill", kMasked}};
  return entry;
}

void AttentionBlock::merge(const AttentionKeyTile& tile, const TensorHandle& scores) {
  CompositeRequest request;
  request.prologue = {CompositeEntry("softmax_merge", {{"s", scores}, {"m", m_}, {"l", l_}, {"O", o_}})};
  request.b = tile_of(problem_.past_value, problem_.v, tile);
  request.out = o_;
  request.epilogue = {CompositeEntry("add", {{"other", o_}})};
  tl_.composite(request);
}

void AttentionBlock::store_result() {
  const TensorHandle divisor = tl_.clamp_min(l_, std::numeric_limits<float>::min());
  const TensorHandle normalised = tl_.div_bcast(o_, divisor, tl_.empty(o_.shape, y_.dtype));
  tl_.store(y_, normalised);
}

}  // namespace petal
