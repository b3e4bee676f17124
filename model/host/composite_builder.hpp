// SPDX-License-Identifier: Apache-2.0
//
// CompositeBuilder: from a CompositeRequest to the one flat command it means (ADR-0065 D1 to D8).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "petal/command/pe_command.hpp"
#include "petal/host/composite_request.hpp"
#include "petal/host/recipe_scratch.hpp"
#include "petal/host/recipe_table.hpp"
#include "petal/host/scratch_arena.hpp"
#include "petal/host/tl_options.hpp"

namespace petal {

/// A composite that may be issued, and the tensor that holds its result. The handles in the command name
/// tensors only; leases and pending completions are the host's business.
struct BuiltComposite {
  CompositeCmd command;
  TensorHandle result;
};

/// Serves one request. Scratch it has allocated when it throws is the caller's to give back.
class CompositeBuilder {
 public:
  CompositeBuilder(const CompositeRequest& request, const TlOptions& options, const RecipeTable& recipes,
                   ScratchArena& arena, RecipeScratch& recipe_scratch);

  /// Throws EmitError for every rule of SPEC 3 and 11 that the request breaks.
  BuiltComposite build();

 private:
  bool has_gemm() const { return request_.op == "gemm"; }
  bool has_head() const { return has_gemm() || !request_.math_op.empty(); }

  void check_request() const;
  void lower_prologue();
  void lower_prologue_recipe(const RecipeDescriptor& recipe, const CompositeEntry& entry);
  std::optional<TensorHandle> place_primary_out(const TensorHandle& like);

  void lower_gemm();
  void lower_math_head();
  void take_prologue_result();
  /// The head's first operand: the one given, or the primary out of a prologue recipe, but never a choice of
  /// both.
  TensorHandle bound_a() const;
  OperandList math_head_operands(const OpcodeSchema& schema) const;
  TensorHandle resolve_out(const Dims& shape, DType default_dtype);

  void lower_epilogue();
  void lower_epilogue_recipe(const RecipeDescriptor& recipe, const CompositeEntry& entry);
  void lower_tile_op(const CompositeEntry& entry, Scope scope);
  void lower_kernel_op(const CompositeEntry& entry, const std::optional<TensorHandle>& first,
                       const std::optional<TensorHandle>& default_out, const std::string& position);
  void require_tile_scope_allowed(const CompositeEntry& entry, Scope scope) const;

  void collect_rw_handles();
  void check_counts() const;
  void forget_bookkeeping();

  const CompositeRequest& request_;
  const TlOptions& options_;
  const RecipeTable& recipes_;
  ScratchArena& arena_;
  RecipeScratch& recipe_scratch_;

  CompositeCmd command_;
  std::vector<TensorHandle> recipe_writes_;
  std::optional<TensorHandle> primary_out_;
  std::string primary_recipe_;
  TensorHandle result_;
  bool kernel_op_after_head_ = false;
};

}  // namespace petal
