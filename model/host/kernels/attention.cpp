// SPDX-License-Identifier: Apache-2.0
#include "petal/host/kernels/attention.hpp"

#include <fmt/format.h>

#include <optional>

#include "petal/command/error.hpp"
#include "petal/host/kernels/attention_block.hpp"
#include "petal/host/kernels/attention_work.hpp"

namespace petal {
namespace {

void check_arguments(const TlContext& tl, const AttentionArguments& arguments) {
  if (arguments.tile == 0) throw ConfigError("attention: tile is 0; give 1 or more keys");
  if (arguments.row_block == 0) throw ConfigError("attention: row_block is 0; give 1 or more rows");
  const AttentionProblem& problem = arguments.problem;
  // Naming the whole tensors shows that the address of no part of them can overflow.
  const auto name_it = [&](const std::optional<TensorHandle>& tensor) {
    if (tensor) tl.ref(tensor->address, tensor->shape, tensor->dtype, tensor->strides);
  };
  for (const TensorHandle& tensor : {problem.q, problem.k, problem.v, problem.y_at(arguments.y)})
    name_it(tensor);
  name_it(problem.past_key);
  name_it(problem.past_value);
  name_it(problem.mask);
}

}  // namespace

std::uint64_t attention_tiles(const AttentionArguments& arguments) {
  std::uint64_t tiles = 0;
  for (std::uint64_t block = 0; block < attention_row_blocks(arguments); ++block)
    tiles += attention_key_tiles(arguments, attention_rows(arguments, block)).size();
  return tiles;
}

std::uint64_t attention_macs(const AttentionArguments& arguments) {
  std::uint64_t macs = 0;
  for (std::uint64_t block = 0; block < attention_row_blocks(arguments); ++block) {
    const AttentionRows rows = attention_rows(arguments, block);
    const KeyInterval keys = attention_keys(arguments.problem, rows);
    macs +=
        rows.count * (keys.end - keys.first) * (arguments.problem.head_size + arguments.problem.v_head_size);
  }
  return macs;
}

void attention(TlContext& tl, const AttentionArguments& arguments) {
  check_arguments(tl, arguments);
  const std::uint64_t blocks = attention_row_blocks(arguments);
  for (std::uint64_t index = tl.program_id(); index < blocks; index += tl.num_programs()) {
    AttentionBlock block(tl, arguments, attention_rows(arguments, index));
    for (const AttentionKeyTile& tile : block.tiles()) {
      const ScratchScope tile_scope = tl.scratch_scope();
      const TensorHandle scores = block.issue_scores(tile);
      block.merge(tile, scores);
    }
    block.store_result();
  }
}

}  // namespace petal
