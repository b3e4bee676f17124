// SPDX-License-Identifier: Apache-2.0
#include "petal/attention/attention_tensors.hpp"

#include <fmt/format.h>

#include <utility>

#include "petal/command/error.hpp"

namespace petal {
namespace {

const TensorHandle& required(const std::map<std::string, TensorHandle>& by_name, const char* name) {
  const auto found = by_name.find(name);
  if (found == by_name.end())
    throw ConfigError(fmt::format("attention: {} is not given; give Q, K and V (--in {}=FILE)", name, name));
  return found->second;
}

std::optional<TensorHandle> optional(const std::map<std::string, TensorHandle>& by_name, const char* name) {
  const auto found = by_name.find(name);
  return found == by_name.end() ? std::nullopt : std::optional<TensorHandle>(found->second);
}

void require_known(const std::string& name) {
  for (const char* const known : {"Q", "K", "V", "attn_mask", "past_key", "past_value"})
    if (name == known) return;
  throw ConfigError(fmt::format(
      "attention: there is no input '{}'; the inputs are Q, K, V, attn_mask, past_key, past_value, "
      "nonpad_kv_seqlen",
      name));
}

}  // namespace

AttentionTensors attention_tensors(const std::map<std::string, TensorHandle>& by_name,
                                   std::optional<std::vector<std::int64_t>> nonpad_kv_seqlen) {
  for (const auto& [name, tensor] : by_name) require_known(name);
  AttentionTensors tensors;
  tensors.q = required(by_name, "Q");
  tensors.k = required(by_name, "K");
  tensors.v = required(by_name, "V");
  tensors.attn_mask = optional(by_name, "attn_mask");
  tensors.past_key = optional(by_name, "past_key");
  tensors.past_value = optional(by_name, "past_value");
  tensors.nonpad_kv_seqlen = std::move(nonpad_kv_seqlen);
  return tensors;
}

}  // namespace petal
