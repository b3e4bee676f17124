// SPDX-License-Identifier: Apache-2.0
#include "petal/host/kernels/decoder_layer.hpp"

#include "petal/host/kernels/argument_checks.hpp"
#include "petal/host/kernels/work_share.hpp"

namespace petal {
namespace {

constexpr const char* kKernel = "decoder layer";

void check_arguments(const DecoderLayerArguments& arguments) {
  require_positive(kKernel, "tokens", arguments.tokens);
  require_positive(kKernel, "hidden", arguments.hidden);
  require_positive(kKernel, "intermediate", arguments.intermediate);
  require_positive(kKernel, "q_heads", arguments.q_heads);
  require_positive(kKernel, "kv_heads", arguments.kv_heads);
  require_positive(kKernel, "head_dim", arguments.head_dim);
  require_floating(kKernel, "dtype", arguments.dtype);
}

/// What every launch of the layer does to the matrices in HBM.
class LayerProgram {
 public:
  LayerProgram(TlContext& tl, const DecoderLayerArguments& arguments) : tl_(tl), arguments_(arguments) {
    check_arguments(arguments);
  }

  /// This program's share of so many columns.
  IndexRange share(std::uint64_t columns) const {
    return share_of(columns, tl_.gemm_tile().n, tl_.program_id(), tl_.num_programs());
  }

  TensorHandle matrix(std::uint64_t address, std::uint64_t rows, std::uint64_t columns) const {
    return tl_.ref(address, {rows, columns}, arguments_.dtype);
  }
  TensorHandle vector(std::uint64_t address, std::uint64_t size) const {
    return tl_.ref(address, {size}, arguments_.dtype);
  }
  TensorHandle columns(const TensorHandle& whole, const IndexRange& range) const {
    return tl_.ref(whole.address + range.begin * size_of(whole.dtype), {whole.shape[0], range.size()},
                   whole.dtype, whole.strides);
  }

  CompositeEntry norm(const TensorHandle& x, const TensorHandle& weight) const {
    CompositeEntry entry("rmsnorm_linear", {{"x", x, Access::read}, {"weight", weight, Access::read}});
    entry.scalars = {{"eps", arguments_.norm_eps}};
    return entry;
  }

  /// out = n(x) times weights, this program's columns of both, with `epilogue` on each tile.
  void project_norm(const CompositeEntry& norm, const TensorHandle& weights, const TensorHandle& out,
                    const std::vector<CompositeEntry>& epilogue = {}) {
    const ScratchScope scope = tl_.scratch_scope();
    CompositeRequest request;
    request.prologue = {norm};
    request.b = weights;
    request.out = out;
    request.epilogue = epilogue;
    tl_.composite(request);
  }

  /// out = residual + a times weights: this program's columns of the last three, and all of `a`.
  void project_residual(const TensorHandle& a, const TensorHandle& weights, const TensorHandle& residual,
                        const TensorHandle& out) {
    const IndexRange range = share(out.shape[1]);
    if (range.size() == 0) return;
    CompositeRequest request;
    request.a = tl_.load(a);
    request.b = columns(weights, range);
    request.out = columns(out, range);
    request.epilogue = {CompositeEntry("add", {{"other", tl_.load(columns(residual, range))}})};
    tl_.composite(request);
  }

 private:
  TlContext& tl_;
  const DecoderLayerArguments& arguments_;
};

}  // namespace

void layer_qkv(TlContext& tl, const DecoderLayerArguments& arguments) {
  LayerProgram layer(tl, arguments);
  // There are no fewer columns of Q than of K and V.
  if (layer.share(arguments.q_width()).size() == 0) return;
  const TensorHandle x = tl.load(layer.matrix(arguments.x, arguments.tokens, arguments.hidden));
  const TensorHandle weight = tl.load(layer.vector(arguments.attention_norm, arguments.hidden));
  const auto project = [&](std::uint64_t weights, std::uint64_t width, std::uint64_t out) {
    const IndexRange range = layer.share(width);
    if (range.size() == 0) return;
    layer.project_norm(layer.norm(x, weight),
                       layer.columns(layer.matrix(weights, arguments.hidden, width), range),
                       layer.columns(layer.matrix(out, arguments.tokens, width), range));
  };
  project(arguments.w_q, arguments.q_width(), arguments.q);
  project(arguments.w_k, arguments.kv_width(), arguments.new_rows_of(arguments.k_cache));
  project(arguments.w_v, arguments.kv_width(), arguments.new_rows_of(arguments.v_cache));
}

AttentionArguments layer_attention_arguments(const DecoderLayerArguments& arguments) {
  const std::uint64_t keys = arguments.kv_len + arguments.tokens;
  const auto tensor = [&](std::uint64_t address, std::uint64_t length, std::uint64_t width) {
    return dense_tensor(Space::hbm, address, {1, length, width}, arguments.dtype);
  };
  AttentionAttributes attributes;
  attributes.is_causal = true;
  attributes.q_num_heads = arguments.q_heads;
  attributes.kv_num_heads = arguments.kv_heads;
  AttentionTensors tensors;
  tensors.q = tensor(arguments.q, arguments.tokens, arguments.q_width());
  tensors.k = tensor(arguments.k_cache, keys, arguments.kv_width());
  tensors.v = tensor(arguments.v_cache, keys, arguments.kv_width());
  // Puts the last query at the last key.
  tensors.nonpad_kv_seqlen = {static_cast<std::int64_t>(keys)};
  AttentionArguments attention;
  attention.problem = attention_problem(attributes, tensors);
  attention.y = arguments.a;
  attention.tile = arguments.tile;
  attention.row_block = arguments.row_block;
  return attention;
}

void layer_attention(TlContext& tl, const DecoderLayerArguments& arguments) {
  check_arguments(arguments);
  attention(tl, layer_attention_arguments(arguments));
}

void layer_output(TlContext& tl, const DecoderLayerArguments& arguments) {
  LayerProgram layer(tl, arguments);
  layer.project_residual(layer.matrix(arguments.a, arguments.tokens, arguments.q_width()),
                         layer.matrix(arguments.w_o, arguments.q_width(), arguments.hidden),
                         layer.matrix(arguments.x, arguments.tokens, arguments.hidden),
                         layer.matrix(arguments.r, arguments.tokens, arguments.hidden));
}

void layer_gate_up(TlContext& tl, const DecoderLayerArguments& arguments) {
  LayerProgram layer(tl, arguments);
  const IndexRange range = layer.share(arguments.intermediate);
  if (range.size() == 0) return;
  const TensorHandle r = tl.load(layer.matrix(arguments.r, arguments.tokens, arguments.hidden));
  const CompositeEntry norm = layer.norm(r, tl.load(layer.vector(arguments.mlp_norm, arguments.hidden)));
  const auto weights = [&](std::uint64_t address) {
    return layer.columns(layer.matrix(address, arguments.hidden, arguments.intermediate), range);
  };
  const TensorHandle up = tl.empty({arguments.tokens, range.size()});
  layer.project_norm(norm, weights(arguments.w_up), up);
  layer.project_norm(
      norm, weights(arguments.w_gate),
      layer.columns(layer.matrix(arguments.f, arguments.tokens, arguments.intermediate), range),
      {CompositeEntry("linear_silu_mul", {{"other", up, Access::read}})});
}

void layer_down(TlContext& tl, const DecoderLayerArguments& arguments) {
  LayerProgram layer(tl, arguments);
  layer.project_residual(layer.matrix(arguments.f, arguments.tokens, arguments.intermediate),
                         layer.matrix(arguments.w_down, arguments.intermediate, arguments.hidden),
                         layer.matrix(arguments.r, arguments.tokens, arguments.hidden),
                         layer.matrix(arguments.y, arguments.tokens, arguments.hidden));
}

LayerWork layer_work(LayerKernel kernel, const DecoderLayerArguments& arguments) {
  const auto product = [&](std::uint64_t inner, std::uint64_t columns) {
    return LayerWork{arguments.tokens * inner * columns, inner, 0};
  };
  if (kernel == &layer_qkv) return product(arguments.hidden, arguments.q_width() + 2 * arguments.kv_width());
  if (kernel == &layer_output) return product(arguments.q_width(), arguments.hidden);
  if (kernel == &layer_gate_up) return product(arguments.hidden, 2 * arguments.intermediate);
  if (kernel == &layer_down) return product(arguments.intermediate, arguments.hidden);
  const AttentionArguments attention = layer_attention_arguments(arguments);
  return {attention_macs(attention), attention.problem.keys(), attention_tiles(attention)};
}

}  // namespace petal
