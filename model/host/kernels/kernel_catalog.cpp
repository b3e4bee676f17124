// SPDX-License-Identifier: Apache-2.0
#include "petal/host/kernels/kernel_catalog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "petal/command/edit_distance.hpp"
#include "petal/command/error.hpp"

namespace petal {
namespace {

bool is_suffix_of(std::string_view suffix, std::string_view name) {
  if (suffix.empty() || name.size() <= suffix.size()) return false;
  const std::size_t start = name.size() - suffix.size();
  return name[start - 1] == '_' && name.substr(start) == suffix;
}

/// How far `name` is from a kernel's name or from one of its suffixes.
std::size_t distance(std::string_view name, std::string_view kernel) {
  std::size_t least = edit_distance(name, kernel);
  for (std::size_t at = kernel.find('_'); at != std::string_view::npos; at = kernel.find('_', at + 1))
    least = std::min(least, edit_distance(name, kernel.substr(at + 1)));
  return least;
}

std::string nearest_names(std::string_view name) {
  std::size_t least = std::string_view::npos;
  for (const KernelEntry& entry : kernel_catalog()) least = std::min(least, distance(name, entry.name));
  std::string names;
  for (const KernelEntry& entry : kernel_catalog())
    if (distance(name, entry.name) == least)
      names += fmt::format("{}{}", names.empty() ? "" : " or ", entry.name);
  return names;
}

}  // namespace

const std::vector<KernelEntry>& kernel_catalog() {
  static const std::vector<KernelEntry> catalog = {
      {"gemm", "C = A*B by one composite, A and B streamed from HBM", &gemm},
      {"gemm_load_ref", "C = A*B with A loaded into TCM first, B streamed", &gemm_load_ref},
      {"gemm_load_load", "C = A*B with A and B loaded into TCM first", &gemm_load_load},
      {"gqa_decode_opt1", "GQA decode by primitives only: 14 commands a tile", &gqa_decode_opt1},
      {"gqa_decode_opt2", "GQA decode by two fused composites a tile", &gqa_decode_opt2},
      {"gqa_decode_opt3", "GQA decode, software-pipelined: scores one tile ahead, 10 commands a tile",
       &gqa_decode_opt3},
      {"gqa_decode_three_composites", "GQA decode with softmax_merge as a composite of its own: 3 a tile",
       &gqa_decode_three_composites},
      {"gqa_decode_split", "split-KV decode, first launch: the softmax state of each part of the keys",
       &gqa_decode_split},
      {"gqa_decode_combine", "split-KV decode, second launch: merges the parts of each head and normalises",
       &gqa_decode_combine},
      {"attention",
       "the ONNX operator Attention: masks, soft-cap, past, padding, windows; decode and prefill",
       &attention},
      {"layer_qkv", "decoder layer, 1 of 5: RMS norm and Q, K, V projections, K and V into the cache",
       &layer_qkv},
      {"layer_attention", "decoder layer, 2 of 5: attention over the KV cache", &layer_attention},
      {"layer_output", "decoder layer, 3 of 5: output projection and residual", &layer_output},
      {"layer_gate_up", "decoder layer, 4 of 5: RMS norm and gated MLP's gate and up projections",
       &layer_gate_up},
      {"layer_down", "decoder layer, 5 of 5: down projection and residual", &layer_down},
  };
  return catalog;
}

const KernelEntry& find_kernel(std::string_view name) {
  const KernelEntry* found = nullptr;
  std::string matches;
  std::size_t match_count = 0;
  for (const KernelEntry& entry : kernel_catalog()) {
    if (entry.name == name) return entry;
    if (!is_suffix_of(name, entry.name)) continue;
    found = &entry;
    matches += fmt::format("{}{}", match_count++ == 0 ? "" : ", ", entry.name);
  }
  if (match_count == 1) return *found;
  if (match_count > 1)
    throw ConfigError(fmt::format("kernel '{}' may be any of {}; give more of the name", name, matches));
  throw ConfigError(fmt::format("kernel '{}' does not exist; nearest: {} (petal list shows all)", name,
                                nearest_names(name)));
}

}  // namespace petal
