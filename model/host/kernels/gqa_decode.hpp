// SPDX-License-Identifier: Apache-2.0
//
// Decode attention with grouped queries, in the variants whose command streams PETAL compares (SPEC 9): for
// each KV head, the G query heads that share it attend to all its keys, a tile of keys at a time, by the
// online softmax.
//
// Program p of N takes the KV heads p, p + N, p + 2N, ... All variants compute the same.
#pragma once

#include <cstdint>
#include <optional>

#include "petal/command/dtype.hpp"
#include "petal/host/tl_context.hpp"

namespace petal {

/// The problem and where its tensors lie in HBM, row-major without gaps.
struct GqaDecodeArguments {
  std::uint64_t q_heads = 0;  ///< a multiple of kv_heads; query head h reads KV head h / (q_heads / kv_heads)
  std::uint64_t kv_heads = 0;
  std::uint64_t head_dim = 0;    ///< d
  std::uint64_t kv_len = 0;      ///< keys; none gives O = 0
  std::uint64_t tile = 64;       ///< keys a tile; the last tile has what is left
  DType dtype = DType::f16;      ///< of Q, K and V
  DType out_dtype = DType::f32;  ///< of O
  std::optional<float> scale;    ///< factor of the scores; 1 / sqrt(d) if not given

  std::uint64_t q = 0;  ///< [q_heads, d]
  std::uint64_t k = 0;  ///< [kv_heads, kv_len, d]
  std::uint64_t v = 0;  ///< [kv_heads, kv_len, d]
  std::uint64_t o = 0;  ///< [q_heads, d]
  /// If given, the softmax state is stored too: f32 [q_heads] each, the maximum and the sum of the weights.
  std::optional<std::uint64_t> m;
  std::optional<std::uint64_t> l;
};

/// Tiles of keys over all KV heads. Precondition: tile is not 0.
std::uint64_t gqa_decode_tiles(const GqaDecodeArguments& arguments);

/// Primitives only: 14 commands and 414 bytes a tile.
void gqa_decode_opt1(TlContext& tl, const GqaDecodeArguments& arguments);
/// Two composites a tile, 380 bytes: the scores, and softmax_merge fused with P.V and the add.
void gqa_decode_opt2(TlContext& tl, const GqaDecodeArguments& arguments);
/// Software-pipelined: the scores one tile ahead as a composite, the merge as primitives, P.V and the add as
/// a composite: 10 commands and 372 bytes a tile.
void gqa_decode_opt3(TlContext& tl, const GqaDecodeArguments& arguments);
/// Three composites a tile, 402 bytes: the scores, softmax_merge alone, P.V with the add (ADR-0065,
/// alternative A1).
void gqa_decode_three_composites(TlContext& tl, const GqaDecodeArguments& arguments);

}  // namespace petal
