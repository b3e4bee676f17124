// SPDX-License-Identifier: Apache-2.0
#include "petal/config/model_presets.hpp"

namespace petal {

const std::vector<ModelPreset>& model_presets() {
  static const std::vector<ModelPreset> rows = {
      {"llama3.1-8b", 32, 32, 8, 128, 4096, 14336, 131072, "", "litgpt config.py 2026-06-29"},
      {"llama3.1-70b", 80, 64, 8, 128, 8192, 28672, 131072, "", "litgpt config.py 2026-06-29"},
      {"llama3.1-405b", 126, 128, 8, 128, 16384, 53248, 131072, "", "litgpt config.py 2026-06-29"},
      {"llama3.2-3b", 28, 24, 8, 128, 3072, 8192, 131072, "odd G", "litgpt config.py 2026-06-29"},
      {"llama3.2-1b", 16, 32, 8, 64, 2048, 8192, 131072, "d=64", "litgpt config.py 2026-06-29"},
      {"qwen2.5-7b", 28, 28, 4, 128, 3584, 18944, 131072, "odd G", "litgpt config.py 2026-06-29"},
      {"qwen2.5-72b", 80, 64, 8, 128, 8192, 29568, 131072, "ffn not power of two",
       "litgpt config.py 2026-06-29"},
      {"qwen3-8b", 36, 32, 8, 128, 4096, 12288, 40960, "", "litgpt config.py 2026-06-29"},
      {"qwen3-32b", 64, 64, 8, 128, 5120, 25600, 40960, "q width 8192 != hidden",
       "litgpt config.py 2026-06-29"},
      {"qwen3-235b-a22b", 94, 64, 4, 128, 4096, 1536, 40960, "128 experts top-8",
       "litgpt config.py 2026-06-29"},
      {"mistral-7b-v0.3", 32, 32, 8, 128, 4096, 14336, 32768, "v0.1 window 4096",
       "litgpt config.py 2026-06-29"},
      {"mistral-large-2407", 88, 96, 8, 128, 12288, 28672, 32768, "G=12", "litgpt config.py 2026-06-29"},
      {"mixtral-8x7b", 32, 32, 8, 128, 4096, 14336, 32768, "8 experts top-2", "litgpt config.py 2026-06-29"},
      {"gemma2-9b", 42, 16, 8, 256, 3584, 14336, 8192, "window 4096", "litgpt config.py 2026-06-29"},
      {"gemma3-12b", 48, 16, 8, 256, 3840, 15360, 131072, "window 1024", "litgpt config.py 2026-06-29"},
      {"gemma3-27b", 62, 32, 16, 128, 5376, 21504, 131072, "window 1024; q width 4096 != hidden",
       "litgpt config.py 2026-06-29"},
      {"gpt-oss-120b", 36, 64, 8, 64, 2880, 2880, 131072,
       "128 experts top-4; attention sink; layers and max_ctx not re-checked", "softhier README"},
      {"deepseek-v3", 61, 128, 0, 0, 7168, 18432, 0,
       "latent attention (MLA): qk 576, v 512 absorbed; 256 experts top-8, MoE ffn 2048; kv_lora 512 + rope "
       "64; q_lora 1536",
       "vLLM DeepseekV3Config docs"},
  };
  return rows;
}

std::optional<ModelPreset> model_preset_named(std::string_view name) {
  for (const ModelPreset& preset : model_presets())
    if (preset.name == name) return preset;
  return std::nullopt;
}

}  // namespace petal
