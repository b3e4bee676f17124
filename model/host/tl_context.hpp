// SPDX-License-Identifier: Apache-2.0
//
// TlContext: what a kernel is written against (SPEC 3). It plays the compiler: it checks each call, gives
// tensors their place in TCM, and issues commands to a CommandSink. It returns at once: results are handles
// whose data is pending, and a later call that uses one waits as the platform's auto-await says.
//
// A call that cannot be issued throws EmitError, naming the call, the operand and the remedy; nothing of it
// has been issued and no scratch is lost.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "petal/command/command_sink.hpp"
#include "petal/command/tensor_handle.hpp"
#include "petal/host/command_emitter.hpp"
#include "petal/host/composite_cache.hpp"
#include "petal/host/composite_request.hpp"
#include "petal/host/math_ops.hpp"
#include "petal/host/recipe_scratch.hpp"
#include "petal/host/scratch_arena.hpp"
#include "petal/host/scratch_scope.hpp"
#include "petal/host/tl_options.hpp"

namespace petal {

/// What `dot` may be told beside its two matrices.
struct DotOptions {
  std::optional<TensorHandle> out;  ///< in TCM; default: new scratch, f32 (i32 for i8)
  std::optional<float> scale;       ///< factor of the f32 accumulator
};

class TlContext final : public MathOps {
 public:
  /// `sink` outlives the context. Throws ConfigError if the options' program does not exist.
  explicit TlContext(CommandSink& sink, TlOptions options = {});
  TlContext(const TlContext&) = delete;
  TlContext& operator=(const TlContext&) = delete;

  // --- Facts of the launch ---
  std::uint64_t program_id() const { return options_.program_id; }
  std::uint64_t num_programs() const { return options_.num_programs; }
  const GemmTile& gemm_tile() const { return options_.gemm_tile; }

  // --- Tensors ---
  /// Names data in HBM; no command. `strides` are elements an axis, row-major without gaps if left out.
  TensorHandle ref(std::uint64_t address, const Dims& shape, DType dtype, const Dims& strides = {}) const;
  /// The view with the last two axes exchanged; no command.
  TensorHandle trans(const TensorHandle& handle) const;
  /// Allocates without a command; the contents are undefined until written.
  TensorHandle empty(const Dims& shape, DType dtype = DType::f32);
  /// Allocates and fills: one `fill` command.
  TensorHandle zeros(const Dims& shape, DType dtype = DType::f32);
  TensorHandle full(const Dims& shape, float value, DType dtype = DType::f32);
  /// Until the returned object is destroyed, what is allocated belongs to it.
  [[nodiscard]] ScratchScope scratch_scope() { return ScratchScope(arena_); }

  // --- Commands ---
  /// One DMA_READ of `src`, in HBM, to new scratch. A transposed view is read as it is stored and viewed the
  /// same way.
  TensorHandle load(const TensorHandle& src);
  /// One DMA_WRITE of `value`, in TCM, to `dst`, in HBM; shapes and dtypes are equal.
  void store(const TensorHandle& dst, const TensorHandle& value);
  /// a[m, k] * b[k, n], all in TCM: one GEMM command.
  TensorHandle dot(const TensorHandle& a, const TensorHandle& b, const DotOptions& options = {});
  /// Issues one composite, in as many segments as the cap makes it, and returns its result.
  TensorHandle composite(const CompositeRequest& request);

  // --- The CPU ---
  /// Blocks until the data of `handle` is there. An error if no command that was issued writes it.
  void wait(const TensorHandle& handle);
  /// The CPU spends `count` cycles, at most 2^32 - 1.
  void cycles(std::uint64_t count);

  // --- For whoever started the kernel ---
  const ScratchArena& scratch() const { return *arena_; }
  /// Composites that were issued without being lowered anew.
  std::uint64_t lowerings_reused() const { return composites_.served(); }
  /// The completion after the last one issued: where a next launch on this PE continues.
  CompletionId next_completion() const { return emitter_.next_completion(); }

 private:
  TensorHandle issue_math(const MathCall& call) override;

  TlOptions options_;
  std::shared_ptr<const RecipeTable> recipes_;
  std::shared_ptr<ScratchArena> arena_;  ///< shared with the scopes, which may outlive the context
  RecipeScratch recipe_scratch_;
  CompositeCache composites_;
  CommandEmitter emitter_;
};

}  // namespace petal
