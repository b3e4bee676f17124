// SPDX-License-Identifier: Apache-2.0
//
// Attention as the ONNX operator has it (opset 23 to 25): grouped queries, scale, soft-cap, causal, windows,
// additive and boolean masks, past keys, padded keys, one query (decode) or many (prefill).
//
// Work is cut into row blocks. With one query a head, the rows of a block are query heads that share a KV
// head; with more, they are queries of one query head. Program p of N takes the blocks p, p + N, p + 2N, ...
// For each tile of keys a block issues two composites: the scores with soft-cap and masks in the epilogue,
// and softmax_merge with P.V and the add. Keys that no row of a block sees are not read.
#pragma once

#include <cstdint>

#include "petal/attention/attention_problem.hpp"
#include "petal/host/tl_context.hpp"

namespace petal {

struct AttentionArguments {
  AttentionProblem problem;      ///< its tensors lie in HBM at the addresses that their handles have
  std::uint64_t y = 0;           ///< address of Y in HBM
  std::uint64_t tile = 64;       ///< keys a tile; the last tile of the past, and of K, has what is left
  std::uint64_t row_block = 64;  ///< rows a block; may be more than the hardware tile has
};

/// Tiles of keys over all row blocks. Precondition: tile and row_block are not 0.
std::uint64_t attention_tiles(const AttentionArguments& arguments);
/// Multiply-accumulates of the scores and of P.V over all row blocks. Precondition: as above.
std::uint64_t attention_macs(const AttentionArguments& arguments);

/// Throws ConfigError if tile or row_block is 0; EmitError for a tensor that does not fit in the address
/// space, or if a block's tensors do not fit in TCM.
void attention(TlContext& tl, const AttentionArguments& arguments);

}  // namespace petal
