// SPDX-License-Identifier: Apache-2.0
#include "petal/attention/attention_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "petal/command/error.hpp"

namespace petal {
namespace {

template <typename... Arguments>
[[noreturn]] void refuse(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  throw ConfigError("attention: " + fmt::format(text, std::forward<Arguments>(arguments)...));
}

std::string form_of(const TensorHandle& tensor) {
  return fmt::format("{}{}", name_of(tensor.dtype), tensor.shape.to_string());
}

void require_shape(const char* name, const TensorHandle& tensor, const Dims& wanted, const char* why) {
  if (tensor.shape != wanted)
    refuse("{} is {}, but must be {}: {}", name, form_of(tensor), wanted.to_string(), why);
}

void require_floating(const char* name, const TensorHandle& tensor) {
  if (!is_floating(tensor.dtype)) refuse("{} is {}; give a floating dtype", name, form_of(tensor));
}

void check_attributes(const AttentionAttributes& attributes) {
  if (attributes.scale && !(*attributes.scale >= 0.0 && std::isfinite(*attributes.scale)))
    refuse("scale is {}; give a finite number of 0 or more", *attributes.scale);
  if (!(attributes.softcap >= 0.0 && std::isfinite(attributes.softcap)))
    refuse("softcap is {}; give a finite number above 0, or 0 for none", attributes.softcap);
  if (attributes.left_window_size < -1)
    refuse("left_window_size is {}; give 0 or more, or -1 for no limit", attributes.left_window_size);
  if (attributes.right_window_size < -1)
    refuse("right_window_size is {}; give 0 or more, or -1 for no limit", attributes.right_window_size);
  if (attributes.qk_matmul_output_mode > 3)
    refuse("qk_matmul_output_mode is {}; give 0 to 3", attributes.qk_matmul_output_mode);
  const std::uint64_t precisions[] = {0, 1, 10, 11, 16};
  if (std::count(std::begin(precisions), std::end(precisions), attributes.softmax_precision) == 0)
    refuse("softmax_precision is {}; give 1 (f32), 10 (f16), 11 (double) or 16 (bf16), or 0 for none",
           attributes.softmax_precision);
}

/// [batch, sequence, heads * size] seen as [batch, heads, sequence, size].
TensorHandle split_heads(const char* name, const TensorHandle& tensor, const char* attribute,
                         const std::optional<std::uint64_t>& heads) {
  if (!heads || *heads == 0)
    refuse("{} is {} and {} is {}; with three axes give the number of heads in {}", name, form_of(tensor),
           attribute, heads ? "0" : "not given", attribute);
  if (tensor.shape[2] % *heads != 0)
    refuse("{} is {}, and its last axis is not a multiple of {} {}", name, form_of(tensor), attribute,
           *heads);
  const std::uint64_t size = tensor.shape[2] / *heads;
  TensorHandle view = tensor;
  view.shape = {tensor.shape[0], *heads, tensor.shape[1], size};
  view.strides = {tensor.strides[0], size * tensor.strides[2], tensor.strides[1], tensor.strides[2]};
  return view;
}

TensorHandle with_four_axes(const char* name, const TensorHandle& tensor, const char* attribute,
                            const std::optional<std::uint64_t>& heads) {
  require_floating(name, tensor);
  if (tensor.shape.rank() == 3) return split_heads(name, tensor, attribute, heads);
  if (tensor.shape.rank() != 4)
    refuse("{} is {}; give [batch, heads, sequence, size] or [batch, sequence, heads * size]", name,
           form_of(tensor));
  if (heads && *heads != tensor.shape[1])
    refuse("{} is {}, but {} is {}; with four axes leave the attribute off", name, form_of(tensor), attribute,
           *heads);
  return tensor;
}

/// Works an AttentionProblem out, one step after the other.
class ProblemBuilder {
 public:
  ProblemBuilder(const AttentionAttributes& attributes, const AttentionTensors& tensors)
      : attributes_(attributes), tensors_(tensors) {}

  AttentionProblem build() {
    check_attributes(attributes_);
    take_queries_keys_and_values();
    take_past();
    problem_.scale = attributes_.scale.value_or(default_scale());
    problem_.softcap = attributes_.softcap;
    take_valid_lengths();
    take_mask();
    shape_output();
    return problem_;
  }

 private:
  void take_queries_keys_and_values() {
    AttentionProblem& p = problem_;
    if (tensors_.k.shape.rank() != tensors_.q.shape.rank() ||
        tensors_.v.shape.rank() != tensors_.q.shape.rank())
      refuse("Q is {}, K is {} and V is {}; give all three with three axes or all with four",
             form_of(tensors_.q), form_of(tensors_.k), form_of(tensors_.v));
    p.q = with_four_axes("Q", tensors_.q, "q_num_heads", attributes_.q_num_heads);
    p.k = with_four_axes("K", tensors_.k, "kv_num_heads", attributes_.kv_num_heads);
    p.v = with_four_axes("V", tensors_.v, "kv_num_heads", attributes_.kv_num_heads);
    p.batch = p.q.shape[0];
    p.q_heads = p.q.shape[1];
    p.q_len = p.q.shape[2];
    p.head_size = p.q.shape[3];
    p.kv_heads = p.k.shape[1];
    p.kv_len = p.k.shape[2];
    p.v_head_size = p.v.shape[3];
    require_shape("K", p.k, {p.batch, p.kv_heads, p.kv_len, p.head_size},
                  "its batch and head size (of four axes) are Q's");
    require_shape("V", p.v, {p.batch, p.kv_heads, p.kv_len, p.v_head_size},
                  "its batch, heads and sequence (of four axes) are K's");
    if (p.kv_heads == 0 ? p.q_heads != 0 : p.q_heads % p.kv_heads != 0)
      refuse(
          "{} query heads are not a multiple of {} KV heads; each KV head is shared by the same number of "
          "query heads",
          p.q_heads, p.kv_heads);
  }

  void take_past() {
    if (tensors_.past_key.has_value() != tensors_.past_value.has_value())
      refuse("{} is given without {}; give both or none", tensors_.past_key ? "past_key" : "past_value",
             tensors_.past_key ? "past_value" : "past_key");
    if (!tensors_.past_key) return;
    if (tensors_.past_key->shape.rank() != 4)
      refuse("past_key is {}; give [batch, heads, past sequence, size]", form_of(*tensors_.past_key));
    AttentionProblem& p = problem_;
    p.past_key = tensors_.past_key;
    p.past_value = tensors_.past_value;
    p.past_len = p.past_key->shape[2];
    require_floating("past_key", *p.past_key);
    require_floating("past_value", *p.past_value);
    require_shape("past_key", *p.past_key, {p.batch, p.kv_heads, p.past_len, p.head_size},
                  "all but its sequence is as of K");
    require_shape("past_value", *p.past_value, {p.batch, p.kv_heads, p.past_len, p.v_head_size},
                  "its sequence is past_key's and the rest as of V");
  }

  double default_scale() const {
    // Without elements every score is 0, whatever it is multiplied by.
    if (problem_.head_size == 0) return 1.0;
    return 1.0 / std::sqrt(static_cast<double>(problem_.head_size));
  }

  void take_valid_lengths() {
    const auto past = static_cast<std::int64_t>(problem_.past_len);
    problem_.visible_keys.assign(problem_.batch, problem_.keys());
    problem_.bands.assign(problem_.batch, band_at(past));
    if (!tensors_.nonpad_kv_seqlen) return;
    const std::vector<std::int64_t>& lengths = *tensors_.nonpad_kv_seqlen;
    if (tensors_.past_key)
      refuse(
          "nonpad_kv_seqlen is given beside past_key; give the padded keys in K, or leave one of the two "
          "off");
    if (lengths.size() != problem_.batch)
      refuse("nonpad_kv_seqlen has {} entries for a batch of {}; give one a batch", lengths.size(),
             problem_.batch);
    for (std::size_t b = 0; b < lengths.size(); ++b) {
      if (lengths[b] < 0 || static_cast<std::uint64_t>(lengths[b]) > problem_.kv_len)
        refuse("nonpad_kv_seqlen[{}] is {}, but K has {} keys; give 0 to {}", b, lengths[b], problem_.kv_len,
               problem_.kv_len);
      problem_.visible_keys[b] = static_cast<std::uint64_t>(lengths[b]);
      problem_.bands[b] = band_at(lengths[b] - static_cast<std::int64_t>(problem_.q_len));
    }
  }

  /// The band of a batch whose query 0 stands at key `offset`.
  KeyBand band_at(std::int64_t offset) const {
    // A window that reaches from any position to any key limits nothing.
    const auto reach = static_cast<std::int64_t>(problem_.keys() + problem_.q_len);
    KeyBand band;
    if (attributes_.left_window_size >= 0 && attributes_.left_window_size < reach)
      band.low = offset - attributes_.left_window_size;
    if (attributes_.right_window_size >= 0 && attributes_.right_window_size < reach)
      band.high = offset + attributes_.right_window_size;
    if (attributes_.is_causal) band.high = std::min(band.high, offset);
    return band;
  }

  void take_mask() {
    if (!tensors_.attn_mask) return;
    const TensorHandle& given = *tensors_.attn_mask;
    if (!is_floating(given.dtype) && given.dtype != DType::boolean)
      refuse("attn_mask is {}; give a boolean or a floating dtype", form_of(given));
    const std::size_t rank = given.shape.rank();
    if (rank == 0) refuse("attn_mask is a scalar; give one to four axes, the last one of keys");
    const Dims whole{problem_.batch, problem_.q_heads, problem_.q_len, problem_.keys()};
    const std::uint64_t keys = given.shape.back();
    TensorHandle mask = given;
    mask.shape = {problem_.batch, problem_.q_heads, problem_.q_len, keys};
    mask.strides = {0, 0, 0, given.strides.back()};
    bool fits = keys <= problem_.keys();
    for (std::size_t axis = 0; axis + 1 < rank; ++axis) {
      const std::size_t target = axis + 4 - rank;
      fits = fits && (given.shape[axis] == 1 || given.shape[axis] == whole[target]);
      if (given.shape[axis] != 1) mask.strides[target] = given.strides[axis];
    }
    if (!fits)
      refuse(
          "attn_mask is {}, which cannot be broadcast to {} (batch, query heads, queries, keys); the last "
          "axis may also be shorter",
          form_of(given), whole.to_string());
    problem_.mask = mask;
    for (std::uint64_t& visible : problem_.visible_keys) visible = std::min(visible, keys);
  }

  void shape_output() {
    const AttentionProblem& p = problem_;
    const Dims shape = tensors_.q.shape.rank() == 3 ? Dims{p.batch, p.q_len, p.q_heads * p.v_head_size}
                                                    : Dims{p.batch, p.q_heads, p.q_len, p.v_head_size};
    problem_.y = dense_tensor(Space::hbm, 0, shape, p.q.dtype);
  }

  const AttentionAttributes& attributes_;
  const AttentionTensors& tensors_;
  AttentionProblem problem_;
};

}  // namespace

KeyInterval AttentionProblem::keys_of(std::uint64_t b, std::uint64_t query) const {
  const auto i = static_cast<std::int64_t>(query);
  std::int64_t first = 0;
  auto end = static_cast<std::int64_t>(visible_keys[b]);
  const KeyBand& band = bands[b];
  if (band.low != KeyBand::kNoLow) first = std::max(first, band.low + i);
  if (band.high != KeyBand::kNoHigh) end = std::min(end, band.high + i + 1);
  if (first >= end) return {};
  return {static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(end)};
}

TensorHandle AttentionProblem::y_at(std::uint64_t address) const {
  TensorHandle view = y;
  view.address = address;
  if (y.shape.rank() != 3) return view;
  view.shape = {batch, q_heads, q_len, v_head_size};
  view.strides = {y.strides[0], v_head_size, y.strides[1], y.strides[2]};
  return view;
}

AttentionProblem attention_problem(const AttentionAttributes& attributes, const AttentionTensors& tensors) {
  return ProblemBuilder(attributes, tensors).build();
}

}  // namespace petal
