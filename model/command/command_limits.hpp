// SPDX-License-Identifier: Apache-2.0
//
// What a device can execute of what untrusted software asks for. A command that passes runs to its end, with
// data mode and without: it names no byte of TCM outside the arena, needs memory within bounds, and its
// arithmetic is defined. Whether HBM answers is found out when it is accessed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "petal/command/gemm_tile.hpp"
#include "petal/command/pe_command.hpp"

namespace petal {

/// What a PE has. The defaults are a PE with all engines.
struct CommandLimits {
  Bytes arena{std::uint64_t{1} << 20U};       ///< TCM tensors lie in [0, arena)
  Bytes hbm_tensor{std::uint64_t{1} << 40U};  ///< the most bytes of a tensor in HBM
  bool has_dma = true;
  bool has_fetch_store = true;
  bool has_gemm = true;
  bool has_math = true;
  bool math_head_streaming = false;  ///< MATH ops of a composite without a GEMM may name HBM
  GemmTile gemm_tile;                ///< such an op is cut into chunks of m x n elements
};

/// The first rule that `command` breaks, as one line, or nothing:
///  - find_command_error has nothing against it, and a GEMM's sizes are below 2^31;
///  - a tensor in TCM lies within the arena; its data, with axes of no elements counted as one and elements
///  at
///    one address counted apart, is no larger than the arena, or in HBM than `hbm_tensor`;
///  - the engines it needs exist;
///  - what is written does not have several elements at one address;
///  - GEMMs obey find_gemm_numeric_error, MATH ops find_math_numeric_error, K_TILE ops
///  find_accumulator_error;
///  - a MATH op that names HBM can be streamed (find_streaming_problem), and streaming is on.
/// Precondition: find_tensor_error has nothing against the command's tensors, as for one that was decoded.
std::optional<std::string> find_limit_error(const PeCommand& command, const CommandLimits& limits);

}  // namespace petal
