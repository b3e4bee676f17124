// SPDX-License-Identifier: Apache-2.0
//
// Split-KV decode: the keys of each KV head are split into parts, so that more PEs than KV heads have work.
// Two launches with a barrier between: `gqa_decode_split` leaves the softmax state of every part in HBM,
// `gqa_decode_combine` merges a head's parts and normalises. Data crosses PEs, so the HBM must be shared.
//
// A part may be empty (fewer tiles than parts): its state is m = -inf, l = 0, O = 0, and counts for nothing.
#pragma once

#include <cstdint>

#include "petal/host/kernels/gqa_decode.hpp"

namespace petal {

/// Decode, and where the states of its parts lie: f32, row-major without gaps. O there is not normalised.
struct GqaSplitArguments {
  GqaDecodeArguments decode;
  std::uint64_t splits = 1;   ///< parts of each KV head's keys: whole tiles, as even as they come out
  std::uint64_t m_parts = 0;  ///< [splits, q_heads]
  std::uint64_t l_parts = 0;  ///< [splits, q_heads]
  std::uint64_t o_parts = 0;  ///< [splits, q_heads, d]
};

/// Tiles of keys over all KV heads and parts. Precondition: tile and splits are not 0.
std::uint64_t gqa_split_tiles(const GqaSplitArguments& arguments);

/// Program p of N takes the parts p, p + N, ... of all heads' parts, head by head, each as opt2 does.
void gqa_decode_split(TlContext& tl, const GqaSplitArguments& arguments);
/// Program p of N takes the KV heads p, p + N, ...: one softmax_combine a part, then O / l. Stores m and l
/// too if the decode's arguments say where.
void gqa_decode_combine(TlContext& tl, const GqaSplitArguments& arguments);

}  // namespace petal
