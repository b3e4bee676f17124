// SPDX-License-Identifier: Apache-2.0
//
// The reference against the vectors of the ONNX operator, and against what can be said by hand.
#include "petal/attention/attention_reference.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>

#include "support/attention_cases.hpp"

using namespace petal;
using namespace petal::test;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TensorHandle f32(const Dims& shape) {
  return dense_tensor(Space::hbm, 0, shape, DType::f32);
}

/// One head, `queries` queries and `keys` keys of one element each; K is 0, so all weights are equal, and
/// V[j] is j: a query gives the mean of the keys it sees.
struct MeanOfKeys {
  MeanOfKeys(std::uint64_t queries, std::uint64_t keys) {
    tensors.q = f32({1, 1, queries, 1});
    tensors.k = f32({1, 1, keys, 1});
    tensors.v = f32({1, 1, keys, 1});
    values.q.assign(queries, 1.0);
    values.k.assign(keys, 0.0);
    for (std::uint64_t key = 0; key < keys; ++key) values.v.push_back(static_cast<double>(key));
  }
  std::vector<double> run() const {
    return attention_reference(attention_problem(attributes, tensors), values);
  }

  AttentionAttributes attributes;
  AttentionTensors tensors;
  AttentionValues values;
};

using Means = std::vector<double>;

}  // namespace

BOOST_AUTO_TEST_SUITE(attention_reference_values)

BOOST_AUTO_TEST_CASE(all_onnx_vectors) {
  const std::vector<AttentionCase> cases = read_attention_cases();
  BOOST_TEST(cases.size() == 47U);
  for (const AttentionCase& entry : cases) BOOST_TEST_CONTEXT(entry.name) {
      const AttentionProblem problem = attention_problem(entry.attributes, entry.tensors());
      BOOST_TEST((problem.y.shape == entry.y_shape()));
      const std::vector<double> y = attention_reference(problem, entry.values());
      BOOST_TEST(largest_difference(y, entry.y_values()) <= entry.tolerance());
    }
}

BOOST_AUTO_TEST_CASE(causal_queries_start_at_the_first_key) {
  MeanOfKeys mean(3, 4);
  mean.attributes.is_causal = true;
  BOOST_TEST((mean.run() == Means{0.0, 0.5, 1.0}));
}

BOOST_AUTO_TEST_CASE(causal_queries_stand_behind_the_past) {
  MeanOfKeys mean(2, 2);
  mean.attributes.is_causal = true;
  mean.tensors.past_key = f32({1, 1, 2, 1});
  mean.tensors.past_value = f32({1, 1, 2, 1});
  mean.values.past_key = {0.0, 0.0};
  mean.values.past_value = {10.0, 20.0};
  BOOST_TEST((mean.run() == Means{10.0, 7.75}));  // (10 + 20 + 0) / 3, (10 + 20 + 0 + 1) / 4
}

// Two of five keys are no padding: three queries end at key 1, so the first one stands before all keys.
BOOST_AUTO_TEST_CASE(causal_queries_end_at_the_last_key_that_is_no_padding) {
  MeanOfKeys mean(3, 5);
  mean.attributes.is_causal = true;
  mean.tensors.nonpad_kv_seqlen = {2};
  BOOST_TEST((mean.run() == Means{0.0, 0.0, 0.5}));
}

BOOST_AUTO_TEST_CASE(padding_is_seen_by_no_query) {
  MeanOfKeys mean(2, 5);
  mean.tensors.nonpad_kv_seqlen = {3};
  mean.values.v[3] = kInfinity;
  BOOST_TEST((mean.run() == Means{1.0, 1.0}));
}

BOOST_AUTO_TEST_CASE(windows_look_to_both_sides) {
  MeanOfKeys mean(5, 5);
  mean.attributes.left_window_size = 1;
  mean.attributes.right_window_size = 2;
  BOOST_TEST((mean.run() == Means{1.0, 1.5, 2.5, 3.0, 3.5}));
  mean.attributes.is_causal = true;
  BOOST_TEST((mean.run() == Means{0.0, 0.5, 1.5, 2.5, 3.5}));
}

BOOST_AUTO_TEST_CASE(a_window_of_0_is_the_own_position) {
  MeanOfKeys mean(3, 3);
  mean.attributes.left_window_size = 0;
  mean.attributes.right_window_size = 0;
  BOOST_TEST((mean.run() == Means{0.0, 1.0, 2.0}));
}

BOOST_AUTO_TEST_CASE(keys_beyond_a_short_mask_are_masked) {
  MeanOfKeys mean(2, 4);
  mean.tensors.attn_mask = f32({1, 2});
  mean.values.mask = {0.0, 0.0};
  BOOST_TEST((mean.run() == Means{0.5, 0.5}));
  mean.tensors.attn_mask = f32({1});
  BOOST_TEST((mean.run() == Means{0.0, 0.0}));
}

BOOST_AUTO_TEST_CASE(a_query_without_keys_gives_0) {
  MeanOfKeys mean(2, 2);
  mean.values.v = {5.0, 5.0};
  mean.tensors.attn_mask = f32({2, 2});
  mean.values.mask = {-kInfinity, -kInfinity, 0.0, 0.0};
  BOOST_TEST((mean.run() == Means{0.0, 5.0}));
  BOOST_TEST((MeanOfKeys(2, 0).run() == Means{0.0, 0.0}));
}

// Scores 0 and 8, cap 4: 0 and 4 tanh 2. A weight of e^(4 tanh 2) against 1, and V = 0, 1.
BOOST_AUTO_TEST_CASE(softcap_bends_scores_before_the_mask) {
  MeanOfKeys mean(1, 3);
  mean.attributes.softcap = 4.0;
  mean.attributes.scale = 2.0;
  mean.values.k = {0.0, 4.0, 1000.0};
  mean.tensors.attn_mask = f32({3});
  mean.values.mask = {0.0, 0.0, -kInfinity};
  const double weight = std::exp(4.0 * std::tanh(2.0));
  BOOST_TEST(std::abs(mean.run()[0] - weight / (weight + 1.0)) < 1e-12);
}

BOOST_AUTO_TEST_CASE(large_scores_do_not_overflow) {
  MeanOfKeys mean(1, 2);
  mean.values.k = {1e6, 1e6};
  BOOST_TEST((mean.run() == Means{0.5}));
}

// [batch, sequence, heads * size] with 2 heads of one element: head h of query i is element 2 i + h.
BOOST_AUTO_TEST_CASE(three_axes_hold_the_heads_side_by_side) {
  AttentionTensors tensors;
  tensors.q = f32({1, 2, 2});
  tensors.k = f32({1, 1, 2});
  tensors.v = f32({1, 1, 2});
  AttentionAttributes attributes;
  attributes.q_num_heads = 2;
  attributes.kv_num_heads = 2;
  const AttentionValues values{{1.0, 1.0, 1.0, 1.0}, {0.0, 0.0}, {3.0, 7.0}, {}, {}, {}};
  BOOST_TEST((attention_reference(attention_problem(attributes, tensors), values) ==
              std::vector<double>{3.0, 7.0, 3.0, 7.0}));
}

// Four query heads over two KV heads: heads 0 and 1 read KV head 0.
BOOST_AUTO_TEST_CASE(query_heads_share_kv_heads_in_order) {
  AttentionTensors tensors;
  tensors.q = f32({1, 4, 1, 1});
  tensors.k = f32({1, 2, 1, 1});
  tensors.v = f32({1, 2, 1, 1});
  const AttentionValues values{{1.0, 1.0, 1.0, 1.0}, {0.0, 0.0}, {3.0, 7.0}, {}, {}, {}};
  BOOST_TEST((attention_reference(attention_problem({}, tensors), values) ==
              std::vector<double>{3.0, 3.0, 7.0, 7.0}));
}

BOOST_AUTO_TEST_SUITE_END()
