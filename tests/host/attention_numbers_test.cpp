// SPDX-License-Identifier: Apache-2.0
//
// What the attention kernel computes when its commands run one after the other: the given vectors, and larger
// random problems against the reference.
#include <boost/test/unit_test.hpp>

#include <random>

#include "host/reference_machine.hpp"
#include "petal/attention/attention_reference.hpp"
#include "petal/host/kernels/attention.hpp"
#include "support/attention_cases.hpp"

using namespace petal;
using namespace petal::test;

namespace {

constexpr std::uint64_t kY = 0x1000'0000;

void write(ReferenceMachine& machine, const std::optional<TensorHandle>& tensor,
           const std::vector<double>& values) {
  if (!tensor) return;
  std::vector<float> rounded;
  for (const double value : values) rounded.push_back(static_cast<float>(value));
  machine.write(*tensor, rounded);
}

/// Y after `programs` programs have run one after the other.
std::vector<double> run(const AttentionArguments& arguments, const AttentionTensors& tensors,
                        const AttentionValues& values, std::uint64_t programs) {
  ReferenceMachine machine;
  write(machine, tensors.q, values.q);
  write(machine, tensors.k, values.k);
  write(machine, tensors.v, values.v);
  write(machine, tensors.attn_mask, values.mask);
  write(machine, tensors.past_key, values.past_key);
  write(machine, tensors.past_value, values.past_value);
  for (std::uint64_t program = 0; program < programs; ++program) {
    TlOptions options;
    options.program_id = program;
    options.num_programs = programs;
    TlContext tl(machine, options);
    attention(tl, arguments);
  }
  TensorHandle y = arguments.problem.y;
  y.address = arguments.y;
  const std::vector<float> result = machine.read(y);
  return {result.begin(), result.end()};
}

std::vector<double> run_case(const AttentionCase& entry, std::uint64_t tile, std::uint64_t row_block,
                             std::uint64_t programs) {
  const AttentionTensors tensors = entry.tensors();
  AttentionArguments arguments;
  arguments.problem = attention_problem(entry.attributes, tensors);
  arguments.y = kY;
  arguments.tile = tile;
  arguments.row_block = row_block;
  return run(arguments, tensors, entry.values(), programs);
}

/// A problem with everything that can be random about it.
struct RandomProblem {
  explicit RandomProblem(unsigned seed) : random_(seed) {
    const std::uint64_t batch = number(1, 2), kv_heads = number(1, 2), q_heads = kv_heads * number(1, 3);
    const std::uint64_t queries = number(1, 40), keys = number(0, 40), size = number(1, 5),
                        v_size = number(1, 5);
    add(tensors.q, values.q, {batch, q_heads, queries, size});
    add(tensors.k, values.k, {batch, kv_heads, keys, size});
    add(tensors.v, values.v, {batch, kv_heads, keys, v_size});
    std::uint64_t past = 0;
    if (coin()) {
      past = number(0, 20);
      tensors.past_key.emplace();
      tensors.past_value.emplace();
      add(*tensors.past_key, values.past_key, {batch, kv_heads, past, size});
      add(*tensors.past_value, values.past_value, {batch, kv_heads, past, v_size});
    } else if (coin()) {
      tensors.nonpad_kv_seqlen.emplace();
      for (std::uint64_t b = 0; b < batch; ++b)
        tensors.nonpad_kv_seqlen->push_back(static_cast<std::int64_t>(number(0, keys)));
    }
    attributes.is_causal = coin();
    if (coin()) attributes.softcap = 1.5;
    if (coin()) attributes.scale = 0.7;
    if (coin()) attributes.left_window_size = static_cast<std::int64_t>(number(0, 20));
    if (coin()) attributes.right_window_size = static_cast<std::int64_t>(number(0, 20));
    if (coin()) add_mask({batch, q_heads, queries, number(0, past + keys)});
  }

  AttentionAttributes attributes;
  AttentionTensors tensors;
  AttentionValues values;

 private:
  std::uint64_t number(std::uint64_t low, std::uint64_t high) {
    return std::uniform_int_distribution<std::uint64_t>(low, high)(random_);
  }
  bool coin() { return number(0, 1) == 1; }

  void add(TensorHandle& tensor, std::vector<double>& list, const Dims& shape) {
    tensor = dense_tensor(Space::hbm, address_, shape, DType::f32);
    address_ += tensor.bytes().count() + 64;
    for (std::uint64_t i = 0; i < tensor.elements(); ++i)
      list.push_back(static_cast<double>(std::uniform_real_distribution<float>(-2.0F, 2.0F)(random_)));
  }

  void add_mask(Dims shape) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (coin()) shape[axis] = 1;
    tensors.attn_mask.emplace();
    add(*tensors.attn_mask, values.mask, shape);
    const bool is_boolean = coin();
    if (is_boolean) tensors.attn_mask->dtype = DType::boolean;
    for (double& value : values.mask) {
      if (is_boolean) value = value < 1.0 ? 1.0 : 0.0;
      if (!is_boolean && value > 1.0) value = -std::numeric_limits<double>::infinity();
    }
  }

  std::mt19937 random_;
  std::uint64_t address_ = 0x1000;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(attention_numbers)

BOOST_AUTO_TEST_CASE(all_onnx_vectors) {
  const std::vector<AttentionCase> cases = read_attention_cases();
  BOOST_TEST(cases.size() == 47U);
  for (const AttentionCase& entry : cases)
    for (const std::uint64_t tile : {4U, 16U, 64U})
      for (const std::uint64_t programs : {1U, 4U})
        BOOST_TEST_CONTEXT(entry.name << ", tile " << tile << ", programs " << programs) {
          const std::vector<double> y = run_case(entry, tile, 64, programs);
          BOOST_TEST(largest_difference(y, entry.y_values()) <= entry.tolerance());
        }
}

BOOST_AUTO_TEST_CASE(all_onnx_vectors_in_blocks_of_three_rows) {
  for (const AttentionCase& entry : read_attention_cases()) BOOST_TEST_CONTEXT(entry.name) {
      const std::vector<double> y = run_case(entry, 5, 3, 2);
      BOOST_TEST(largest_difference(y, entry.y_values()) <= entry.tolerance());
    }
}

BOOST_AUTO_TEST_CASE(random_problems_agree_with_the_reference) {
  for (unsigned seed = 0; seed < 200; ++seed) BOOST_TEST_CONTEXT("seed " << seed) {
      const RandomProblem random(seed);
      AttentionArguments arguments;
      arguments.problem = attention_problem(random.attributes, random.tensors);
      arguments.y = kY;
      arguments.tile = 7;
      arguments.row_block = 16;
      const std::vector<double> expected = attention_reference(arguments.problem, random.values);
      BOOST_TEST(largest_difference(run(arguments, random.tensors, random.values, 3), expected) <= 1e-5);
    }
}

BOOST_AUTO_TEST_SUITE_END()
