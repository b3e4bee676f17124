// SPDX-License-Identifier: Apache-2.0
#include "petal/attention/attention_problem.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "petal/command/error.hpp"

using namespace petal;

namespace {

TensorHandle f32(const Dims& shape) {
  return dense_tensor(Space::hbm, 0, shape, DType::f32);
}

/// Batch 2, 6 query heads over 3 KV heads, 4 queries, 5 keys, heads of 8 and 10 elements.
AttentionTensors four_axes() {
  AttentionTensors tensors;
  tensors.q = f32({2, 6, 4, 8});
  tensors.k = f32({2, 3, 5, 8});
  tensors.v = f32({2, 3, 5, 10});
  return tensors;
}

AttentionTensors three_axes() {
  AttentionTensors tensors;
  tensors.q = f32({2, 4, 48});
  tensors.k = f32({2, 5, 24});
  tensors.v = f32({2, 5, 30});
  return tensors;
}

AttentionAttributes heads_6_3() {
  AttentionAttributes attributes;
  attributes.q_num_heads = 6;
  attributes.kv_num_heads = 3;
  return attributes;
}

using Change = std::function<void(AttentionAttributes&, AttentionTensors&)>;

/// The message with which a changed problem is refused; it must be one line.
std::string refusal(const Change& change, AttentionTensors tensors = four_axes(),
                    AttentionAttributes attributes = {}) {
  change(attributes, tensors);
  try {
    attention_problem(attributes, tensors);
  } catch (const ConfigError& error) {
    BOOST_TEST(std::string(error.what()).find('\n') == std::string::npos);
    return error.what();
  }
  return "accepted";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Dims mask_strides(const Dims& shape) {
  AttentionTensors tensors = four_axes();
  tensors.attn_mask = f32(shape);
  return attention_problem({}, tensors).mask->strides;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(attention_problem_form)

BOOST_AUTO_TEST_CASE(four_axes_are_taken_as_they_are) {
  const AttentionProblem problem = attention_problem({}, four_axes());
  BOOST_TEST(problem.batch == 2U);
  BOOST_TEST(problem.q_heads == 6U);
  BOOST_TEST(problem.kv_heads == 3U);
  BOOST_TEST(problem.group() == 2U);
  BOOST_TEST(problem.q_len == 4U);
  BOOST_TEST(problem.keys() == 5U);
  BOOST_TEST(problem.head_size == 8U);
  BOOST_TEST(problem.v_head_size == 10U);
  BOOST_TEST(problem.scale == 1.0 / std::sqrt(8.0));
  BOOST_TEST((problem.y.shape == Dims{2, 6, 4, 10}));
  BOOST_TEST((problem.y_at(64).strides == Dims{240, 40, 10, 1}));
  BOOST_TEST(problem.y_at(64).address == 64U);
}

BOOST_AUTO_TEST_CASE(three_axes_become_four_by_strides) {
  const AttentionProblem problem = attention_problem(heads_6_3(), three_axes());
  BOOST_TEST((problem.q.shape == Dims{2, 6, 4, 8}));
  BOOST_TEST((problem.q.strides == Dims{192, 8, 48, 1}));
  BOOST_TEST((problem.k.shape == Dims{2, 3, 5, 8}));
  BOOST_TEST((problem.k.strides == Dims{120, 8, 24, 1}));
  BOOST_TEST((problem.v.shape == Dims{2, 3, 5, 10}));
  BOOST_TEST((problem.v.strides == Dims{150, 10, 30, 1}));
  BOOST_TEST((problem.y.shape == Dims{2, 4, 60}));
  BOOST_TEST((problem.y_at(0).shape == Dims{2, 6, 4, 10}));
  BOOST_TEST((problem.y_at(0).strides == Dims{240, 10, 60, 1}));
}

BOOST_AUTO_TEST_CASE(masks_are_broadcast_from_the_last_axis) {
  BOOST_TEST((mask_strides({5}) == Dims{0, 0, 0, 1}));
  BOOST_TEST((mask_strides({4, 5}) == Dims{0, 0, 5, 1}));
  BOOST_TEST((mask_strides({1, 5}) == Dims{0, 0, 0, 1}));
  BOOST_TEST((mask_strides({6, 4, 5}) == Dims{0, 20, 5, 1}));
  BOOST_TEST((mask_strides({1, 4, 5}) == Dims{0, 0, 5, 1}));
  BOOST_TEST((mask_strides({2, 1, 4, 5}) == Dims{20, 0, 5, 1}));
  BOOST_TEST((mask_strides({2, 6, 1, 5}) == Dims{30, 5, 0, 1}));
  BOOST_TEST((mask_strides({2, 6, 4, 5}) == Dims{120, 20, 5, 1}));
  BOOST_TEST((mask_strides({1, 1, 1, 5}) == Dims{0, 0, 0, 1}));
  BOOST_TEST((mask_strides({2, 6, 4, 3}) == Dims{72, 12, 3, 1}));
}

BOOST_AUTO_TEST_CASE(a_short_mask_ends_the_keys) {
  AttentionTensors tensors = four_axes();
  tensors.attn_mask = f32({4, 3});
  tensors.nonpad_kv_seqlen = {2, 5};
  const AttentionProblem problem = attention_problem({}, tensors);
  BOOST_TEST((problem.visible_keys == std::vector<std::uint64_t>{2, 3}));
  BOOST_TEST((problem.mask->shape == Dims{2, 6, 4, 3}));
}

BOOST_AUTO_TEST_CASE(the_band_follows_position_and_window) {
  AttentionTensors tensors = four_axes();
  AttentionAttributes attributes;
  BOOST_TEST(attention_problem(attributes, tensors).bands[0].low == KeyBand::kNoLow);
  BOOST_TEST(attention_problem(attributes, tensors).bands[0].high == KeyBand::kNoHigh);
  attributes.is_causal = true;
  attributes.left_window_size = 1;
  tensors.nonpad_kv_seqlen = {5, 2};
  const AttentionProblem problem = attention_problem(attributes, tensors);
  BOOST_TEST(problem.bands[0].low == 0);  // query 0 stands at key 5 - 4 = 1
  BOOST_TEST(problem.bands[0].high == 1);
  BOOST_TEST(problem.bands[1].low == -3);  // and here two keys before the first
  BOOST_TEST(problem.bands[1].high == -2);
  BOOST_TEST(problem.keys_of(0, 3).first == 3U);
  BOOST_TEST(problem.keys_of(0, 3).end == 5U);
  BOOST_TEST(problem.keys_of(1, 1).end == 0U);
  BOOST_TEST(problem.keys_of(1, 2).first == 0U);
  BOOST_TEST(problem.keys_of(1, 2).end == 1U);
}

BOOST_AUTO_TEST_CASE(a_window_of_any_size_is_understood) {
  AttentionAttributes attributes;
  attributes.left_window_size = std::numeric_limits<std::int64_t>::max();
  attributes.right_window_size = std::numeric_limits<std::int64_t>::max();
  const AttentionProblem problem = attention_problem(attributes, four_axes());
  BOOST_TEST(problem.bands[0].low == KeyBand::kNoLow);
  BOOST_TEST(problem.bands[0].high == KeyBand::kNoHigh);
  BOOST_TEST(problem.keys_of(0, 0).end == 5U);
}

BOOST_AUTO_TEST_CASE(sizes_of_0_are_problems_too) {
  AttentionTensors tensors;
  tensors.q = f32({0, 6, 4, 8});
  tensors.k = f32({0, 3, 0, 8});
  tensors.v = f32({0, 3, 0, 10});
  BOOST_TEST(attention_problem({}, tensors).batch == 0U);
  tensors.q = f32({2, 0, 0, 0});
  tensors.k = f32({2, 0, 0, 0});
  tensors.v = f32({2, 0, 0, 0});
  BOOST_TEST(attention_problem({}, tensors).scale == 1.0);
}

BOOST_AUTO_TEST_CASE(tensors_come_by_their_onnx_names) {
  const AttentionTensors given = four_axes();
  const AttentionTensors tensors =
      attention_tensors({{"Q", given.q}, {"K", given.k}, {"V", given.v}}, {{1, 2}});
  BOOST_TEST(tensors.v.same_tensor(given.v));
  BOOST_TEST(!tensors.attn_mask.has_value());
  BOOST_TEST(tensors.nonpad_kv_seqlen->size() == 2U);
  BOOST_CHECK_THROW(attention_tensors({{"Q", given.q}, {"K", given.k}}), ConfigError);
  BOOST_CHECK_THROW(attention_tensors({{"Q", given.q}, {"K", given.k}, {"V", given.v}, {"mask", given.v}}),
                    ConfigError);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(attention_problem_refusals)

BOOST_AUTO_TEST_CASE(shapes_that_do_not_go_together) {
  BOOST_TEST(contains(refusal([](auto&, auto& t) { t.k = f32({2, 3, 5, 9}); }), "K is f32[2, 3, 5, 9]"));
  BOOST_TEST(contains(refusal([](auto&, auto& t) { t.v = f32({2, 3, 6, 10}); }), "V is f32[2, 3, 6, 10]"));
  BOOST_TEST(contains(refusal([](auto&, auto& t) { t.v = f32({1, 3, 5, 10}); }), "V is f32"));
  BOOST_TEST(contains(refusal([](auto&, auto& t) { t.q = f32({2, 4, 4, 8}); }), "4 query heads"));
  BOOST_TEST(contains(refusal([](auto&, auto& t) { t.q = f32({4, 8}); }), "three axes or all with four"));
  BOOST_TEST(contains(refusal([](auto&, auto& t) { t.q = t.k = t.v = f32({4, 8}); }), "Q is f32[4, 8]"));
}

BOOST_AUTO_TEST_CASE(three_axes_need_the_numbers_of_heads) {
  const auto refused = [](const Change& change) { return refusal(change, three_axes(), heads_6_3()); };
  BOOST_TEST(contains(refused([](auto& a, auto&) { a.q_num_heads.reset(); }), "q_num_heads is not given"));
  BOOST_TEST(contains(refused([](auto& a, auto&) { a.kv_num_heads.reset(); }), "kv_num_heads is not given"));
  BOOST_TEST(contains(refused([](auto& a, auto&) { a.q_num_heads = 0; }), "q_num_heads is 0"));
  BOOST_TEST(contains(refused([](auto& a, auto&) { a.q_num_heads = 5; }), "not a multiple of q_num_heads 5"));
}

BOOST_AUTO_TEST_CASE(heads_that_contradict_the_shape) {
  BOOST_TEST(contains(refusal([](auto& a, auto&) { a.q_num_heads = 5; }), "q_num_heads is 5"));
  BOOST_TEST(refusal([](auto& a, auto&) { a.q_num_heads = 6; }) == "accepted");
}

BOOST_AUTO_TEST_CASE(past_keys_and_values_come_together) {
  const TensorHandle past_key = f32({2, 3, 7, 8});
  const TensorHandle past_value = f32({2, 3, 7, 10});
  BOOST_TEST(contains(refusal([&](auto&, auto& t) { t.past_key = past_key; }), "without past_value"));
  BOOST_TEST(contains(refusal([&](auto&, auto& t) { t.past_value = past_value; }), "without past_key"));
  const auto with = [&](const TensorHandle& key, const TensorHandle& value) {
    return refusal([&](auto&, auto& t) {
      t.past_key = key;
      t.past_value = value;
    });
  };
  BOOST_TEST(with(past_key, past_value) == "accepted");
  BOOST_TEST(contains(with(past_key, f32({2, 3, 6, 10})), "past_value is f32[2, 3, 6, 10]"));
  BOOST_TEST(contains(with(f32({2, 3, 7, 9}), past_value), "past_key is f32[2, 3, 7, 9]"));
  BOOST_TEST(contains(with(f32({2, 7, 24}), past_value), "past_key is f32[2, 7, 24]"));
}

BOOST_AUTO_TEST_CASE(valid_lengths) {
  const auto with = [](const std::vector<std::int64_t>& lengths) {
    return refusal([&](auto&, auto& t) { t.nonpad_kv_seqlen = lengths; });
  };
  BOOST_TEST(with({0, 5}) == "accepted");
  BOOST_TEST(contains(with({1}), "1 entries for a batch of 2"));
  BOOST_TEST(contains(with({1, 6}), "nonpad_kv_seqlen[1] is 6"));
  BOOST_TEST(contains(with({-1, 5}), "nonpad_kv_seqlen[0] is -1"));
  BOOST_TEST(contains(refusal([](auto&, auto& t) {
                        t.nonpad_kv_seqlen = {1, 1};
                        t.past_key = f32({2, 3, 7, 8});
                        t.past_value = f32({2, 3, 7, 10});
                      }),
                      "beside past_key"));
}

BOOST_AUTO_TEST_CASE(masks_that_cannot_be_broadcast) {
  const auto with = [](const TensorHandle& mask) {
    return refusal([&](auto&, auto& t) { t.attn_mask = mask; });
  };
  BOOST_TEST(contains(with(f32({4, 6})), "attn_mask is f32[4, 6]"));
  BOOST_TEST(contains(with(f32({3, 5})), "[2, 6, 4, 5]"));
  BOOST_TEST(contains(with(f32({2, 4, 5})), "cannot be broadcast"));  // not the batch: the heads' axis
  BOOST_TEST(contains(with(f32({})), "scalar"));
  BOOST_TEST(contains(with(dense_tensor(Space::hbm, 0, {4, 5}, DType::i8)), "boolean or a floating"));
}

BOOST_AUTO_TEST_CASE(attributes_out_of_range) {
  BOOST_TEST(contains(refusal([](auto& a, auto&) { a.scale = -1.0; }), "scale is -1"));
  BOOST_TEST(contains(refusal([](auto& a, auto&) { a.scale = std::nan(""); }), "scale is nan"));
  BOOST_TEST(contains(refusal([](auto& a, auto&) { a.softcap = -2.0; }), "softcap is -2"));
  BOOST_TEST(contains(refusal([](auto& a, auto&) { a.left_window_size = -2; }), "left_window_size is -2"));
  BOOST_TEST(contains(refusal([](auto& a, auto&) { a.right_window_size = -5; }), "right_window_size is -5"));
  BOOST_TEST(contains(refusal([](auto& a, auto&) { a.qk_matmul_output_mode = 4; }), "output_mode is 4"));
  BOOST_TEST(contains(refusal([](auto& a, auto&) { a.softmax_precision = 7; }), "softmax_precision is 7"));
}

BOOST_AUTO_TEST_CASE(dtypes) {
  BOOST_TEST(contains(refusal([](auto&, auto& t) { t.q.dtype = DType::i8; }), "Q is i8"));
  BOOST_TEST(contains(refusal([](auto&, auto& t) { t.v.dtype = DType::i32; }), "V is i32"));
  BOOST_TEST(refusal([](auto&, auto& t) { t.v.dtype = DType::bf16; }) == "accepted");
}

BOOST_AUTO_TEST_SUITE_END()
