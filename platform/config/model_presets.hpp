// SPDX-License-Identifier: Apache-2.0
//
// Shapes of published language models, so that a scenario can say `model: llama3.1-8b`.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace petal {

/// One model's layer shape. Counts are elements; 0 stands for "does not apply" or "not published".
struct ModelPreset {
  std::string_view name;
  std::uint32_t layers;
  std::uint64_t q_heads;
  std::uint64_t kv_heads;  ///< 0: latent attention, which has no KV heads to share
  std::uint64_t head_dim;  ///< 0: latent attention
  std::uint64_t hidden;
  std::uint64_t ffn;
  std::uint64_t max_ctx;
  std::string_view note;
  std::string_view source;

  /// Whether the shipped kernels can run it: multi-head latent attention has no GQA form.
  bool is_supported() const { return kv_heads != 0; }
  /// Query heads that share a KV head; 0 when it is not supported.
  std::uint64_t group() const { return is_supported() ? q_heads / kv_heads : 0; }
};

/// All rows, in the order `petal list` shows them.
const std::vector<ModelPreset>& model_presets();
/// The row of that name, if there is one.
std::optional<ModelPreset> model_preset_named(std::string_view name);

}  // namespace petal
