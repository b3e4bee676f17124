// SPDX-License-Identifier: Apache-2.0
//
// The attributes of the ONNX operator Attention (opset 23 to 25), by their ONNX names.
#pragma once

#include <cstdint>
#include <optional>

namespace petal {

struct AttentionAttributes {
  bool is_causal = false;       ///< a query sees no key behind its own position
  std::optional<double> scale;  ///< factor of Q.K^T; 1 / sqrt(head size) if not given
  double softcap = 0.0;  ///< scores become softcap * tanh(score / softcap) before the masks; 0: they do not
  std::optional<std::uint64_t> q_num_heads;   ///< must be given for Q, K and V of three axes
  std::optional<std::uint64_t> kv_num_heads;  ///< must be given for Q, K and V of three axes
  std::int64_t left_window_size = -1;         ///< a query sees so many keys before its own position; -1: all
  std::int64_t right_window_size = -1;        ///< a query sees so many keys after its own position; -1: all
  /// 0 to 3: which scores the output qk_matmul_output shows. That output is not computed, so Y is the same
  /// for all.
  std::uint64_t qk_matmul_output_mode = 0;
  /// The least precision of the softmax as an ONNX data type: 1 f32, 10 f16, 11 double, 16 bf16, 0 not given.
  /// The softmax is in f32 whatever it is.
  std::uint64_t softmax_precision = 0;
};

}  // namespace petal
