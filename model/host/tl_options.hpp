// SPDX-License-Identifier: Apache-2.0
//
// TlOptions: what a launch tells the host compiler about the PE it compiles for and about its place in the
// grid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "petal/command/gemm_tile.hpp"
#include "petal/command/tensor_handle.hpp"
#include "petal/command/units.hpp"
#include "petal/host/recipe_table.hpp"

namespace petal {

struct TlOptions {
  Bytes composite_cap{1024};             ///< YAML: pe_cost_model.max_composite_logical_bytes (SPEC 2.1)
  Bytes arena{std::uint64_t{1} << 20U};  ///< the TCM scratch that kernels may allocate, from TCM address 0
  bool math_head_streaming = false;      ///< YAML: pe_scheduler.math_head_streaming (SPEC 3, 11.15)
  GemmTile gemm_tile;
  std::uint64_t program_id = 0;    ///< this program's index, below num_programs
  std::uint64_t num_programs = 1;  ///< programs of the launch, at least 1
  /// Id of the first command issued, at least 1; a later launch on the same PE continues where the last one
  /// ended.
  CompletionId first_completion = 1;
  /// The recipes composites may name; RecipeTable::standard() if null.
  std::shared_ptr<const RecipeTable> recipes;
  /// Requests for composites whose lowering is kept, to be used again for requests like them. The commands
  /// are the same with any number; 0 lowers each request anew.
  std::size_t lowerings_kept = 8;
  /// At least the commands that can be issued and not completed at once (queue and window together). Writers
  /// older than this are forgotten, which bounds the host's memory however long a kernel runs.
  std::uint64_t max_outstanding_commands = 65536;
};

}  // namespace petal
