// SPDX-License-Identifier: Apache-2.0
//
// The typed configuration of the work: what a kernel is asked to compute, in elements.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "petal/attention/attention_attributes.hpp"
#include "petal/command/dtype.hpp"

namespace petal {

/// YAML: gemm. C[m, n] = A[m, k] . B[k, n]; any of the three may be 0.
struct GemmWorkload {
  std::uint64_t m = 2048;
  std::uint64_t k = 2048;
  std::uint64_t n = 2048;
  DType out_dtype = DType::f16;  ///< of C; when not given, the workload's dtype (i32 for i8)
};

/// What the explicit mask of an attention without input files is made of.
enum class AttentionMask : std::uint8_t { none, boolean, additive };

/// Its axes: those of [batch, query heads, queries, keys] that it has; an axis left out is broadcast.
enum class AttentionMaskAxes : std::uint8_t { k, qk, hqk, b1qk, bhqk };

/// YAML: attention. The operator's attributes, and the shape of an attention whose inputs are not given as
/// files, beside q_heads, kv_heads, head_dim, kv_len and dtype; shapes that files have win over it.
struct AttentionWorkload {
  AttentionAttributes attributes;
  std::uint64_t row_block = 64;  ///< rows a kernel handles at a time
  std::uint64_t batch = 1;
  std::uint64_t q_len = 1;                   ///< queries of a head
  std::uint64_t past_len = 0;                ///< keys of past_key; 0: it is not given
  std::optional<std::uint64_t> v_head_size;  ///< none: head_dim
  std::optional<std::uint64_t>
      nonpad_kv_seqlen;    ///< keys of every batch that are no padding; none: not given
  std::uint64_t rank = 4;  ///< axes of Q, K and V: 3 or 4
  AttentionMask attn_mask = AttentionMask::none;
  AttentionMaskAxes attn_mask_axes = AttentionMaskAxes::qk;
};

/// YAML: layer. A decoder layer, beside q_heads, kv_heads, head_dim, kv_len (keys cached before it), tile and
/// dtype.
struct LayerWorkload {
  std::uint64_t tokens = 1;  ///< of one sequence, that the layer works on
  std::uint64_t hidden = 4096;
  std::uint64_t intermediate = 14336;  ///< columns of the gate and up projections
  double norm_eps = 1e-5;
};

/// What a kernel works on. The shape of an attention layer (heads, head_dim, kv_len, tile) and that of a GEMM
/// stand side by side; a kernel reads the fields it needs.
struct WorkloadConfig {
  std::string model = "none";  ///< name of the preset that filled the heads, or "none"
  std::uint64_t q_heads = 32;  ///< a multiple of kv_heads
  std::uint64_t kv_heads = 8;
  std::uint64_t head_dim = 128;
  std::uint64_t kv_len = 8192;       ///< keys in the cache; 0 is allowed
  std::uint64_t tile = 64;           ///< keys a kernel handles at a time (not the hardware tile)
  bool store_softmax_state = false;  ///< decode kernels store m and l beside O
  DType dtype = DType::f16;          ///< of the tensors in HBM
  GemmWorkload gemm;
  AttentionWorkload attention;
  std::uint64_t kv_splits = 1;  ///< of split-KV decode: parts of each KV head's keys
  LayerWorkload layer;
};

/// One kernel on one workload. A launch ends at a barrier over all PEs.
struct LaunchConfig {
  std::optional<std::string> kernel;  ///< none: the command line has to name one
  WorkloadConfig workload;
};

}  // namespace petal
