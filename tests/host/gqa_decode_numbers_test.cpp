// SPDX-License-Identifier: Apache-2.0
//
// What the decode kernels compute when their commands run one after the other.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <random>

#include "host/reference_machine.hpp"
#include "petal/host/kernels/gqa_decode.hpp"

using namespace petal;
using namespace petal::test;

namespace {

using Kernel = void (*)(TlContext&, const GqaDecodeArguments&);
constexpr Kernel kKernels[] = {&gqa_decode_opt1, &gqa_decode_opt2, &gqa_decode_opt3,
                               &gqa_decode_three_composites};

struct Problem {
  GqaDecodeArguments arguments;
  std::vector<float> q, k, v;
};

struct Result {
  std::vector<float> o, m, l;
};

Problem make_problem(std::uint64_t q_heads, std::uint64_t kv_heads, std::uint64_t d, std::uint64_t kv_len,
                     std::uint64_t tile) {
  Problem problem;
  GqaDecodeArguments& arguments = problem.arguments;
  arguments.q_heads = q_heads;
  arguments.kv_heads = kv_heads;
  arguments.head_dim = d;
  arguments.kv_len = kv_len;
  arguments.tile = tile;
  arguments.dtype = DType::f32;
  arguments.q = 0x10'0000;
  arguments.k = 0x20'0000;
  arguments.v = 0x30'0000;
  arguments.o = 0x40'0000;
  arguments.m = 0x50'0000;
  arguments.l = 0x60'0000;
  problem.q.assign(q_heads * d, 0.0F);
  problem.k.assign(kv_heads * kv_len * d, 0.0F);
  problem.v.assign(kv_heads * kv_len * d, 0.0F);
  return problem;
}

Result run(Kernel kernel, const Problem& problem) {
  const GqaDecodeArguments& a = problem.arguments;
  ReferenceMachine machine;
  TlContext tl(machine);
  machine.write(tl.ref(a.q, {a.q_heads, a.head_dim}, DType::f32), problem.q);
  machine.write(tl.ref(a.k, {a.kv_heads, a.kv_len, a.head_dim}, DType::f32), problem.k);
  machine.write(tl.ref(a.v, {a.kv_heads, a.kv_len, a.head_dim}, DType::f32), problem.v);
  kernel(tl, a);
  return {machine.read(tl.ref(a.o, {a.q_heads, a.head_dim}, DType::f32)),
          machine.read(tl.ref(*a.m, {a.q_heads}, DType::f32)),
          machine.read(tl.ref(*a.l, {a.q_heads}, DType::f32))};
}

/// Softmax(q.k / sqrt(d)) v in double, not by tiles and not online.
std::vector<double> attention(const Problem& problem) {
  const GqaDecodeArguments& a = problem.arguments;
  std::vector<double> out(a.q_heads * a.head_dim, 0.0);
  for (std::uint64_t head = 0; head < a.q_heads; ++head) {
    const std::uint64_t kv = head / (a.q_heads / a.kv_heads);
    double sum = 0.0;
    for (std::uint64_t key = 0; key < a.kv_len; ++key) {
      double score = 0.0;
      const std::uint64_t row = (kv * a.kv_len + key) * a.head_dim;
      for (std::uint64_t i = 0; i < a.head_dim; ++i)
        score +=
            static_cast<double>(problem.q[head * a.head_dim + i]) * static_cast<double>(problem.k[row + i]);
      const double weight = std::exp(score / std::sqrt(static_cast<double>(a.head_dim)));
      sum += weight;
      for (std::uint64_t i = 0; i < a.head_dim; ++i)
        out[head * a.head_dim + i] += weight * static_cast<double>(problem.v[row + i]);
    }
    for (std::uint64_t i = 0; i < a.head_dim; ++i) out[head * a.head_dim + i] /= sum;
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(gqa_decode_numbers)

BOOST_AUTO_TEST_CASE(all_variants_compute_attention) {
  constexpr unsigned kSeed = 65;
  for (const std::uint64_t kv_len : {1U, 7U, 8U, 9U, 20U, 40U})
    BOOST_TEST_CONTEXT("seed " << kSeed << ", keys " << kv_len) {
      std::mt19937 random(kSeed);
      std::uniform_real_distribution<float> value(-2.0F, 2.0F);
      Problem problem = make_problem(6, 2, 8, kv_len, 8);
      for (auto* values : {&problem.q, &problem.k, &problem.v})
        for (float& entry : *values) entry = value(random);
      const std::vector<double> expected = attention(problem);
      for (const Kernel kernel : kKernels) {
        const Result result = run(kernel, problem);
        for (std::size_t index = 0; index < expected.size(); ++index)
          BOOST_TEST(std::abs(static_cast<double>(result.o[index]) - expected[index]) < 1e-5);
      }
    }
}

// With K = 0 all weights are equal, and V of KV head j is j + 1: query head h gives floor(h / group) + 1.
BOOST_AUTO_TEST_CASE(query_heads_read_their_own_kv_head) {
  for (const auto& [q_heads, kv_heads] : {std::pair<int, int>{12, 12}, {32, 8}, {28, 4}, {24, 4}}) {
    Problem problem =
        make_problem(static_cast<std::uint64_t>(q_heads), static_cast<std::uint64_t>(kv_heads), 2, 5, 4);
    const std::size_t per_head = 5 * 2;
    for (std::size_t index = 0; index < problem.v.size(); ++index)
      problem.v[index] = static_cast<float>(index / per_head + 1);
    for (const Kernel kernel : kKernels) {
      const Result result = run(kernel, problem);
      for (int head = 0; head < q_heads; ++head)
        BOOST_TEST(std::abs(result.o[static_cast<std::size_t>(head) * 2] -
                            static_cast<float>(head / (q_heads / kv_heads) + 1)) < 1e-5F);
    }
  }
}

// 65 keys, every score -5, V[j] = j: l = 65, m = -5, O = mean of 0..64 = 32. Padded keys would show.
BOOST_AUTO_TEST_CASE(a_ragged_last_tile_adds_no_keys) {
  Problem problem = make_problem(1, 1, 1, 65, 64);
  problem.q = {1.0F};
  for (std::size_t key = 0; key < 65; ++key) {
    problem.k[key] = -5.0F;
    problem.v[key] = static_cast<float>(key);
  }
  for (const Kernel kernel : kKernels) {
    const Result result = run(kernel, problem);
    BOOST_TEST(result.l[0] == 65.0F);
    BOOST_TEST(result.m[0] == -5.0F);
    BOOST_TEST(std::abs(result.o[0] - 32.0F) < 1e-4F);
  }
}

BOOST_AUTO_TEST_CASE(no_keys_give_zero) {
  const Problem problem = make_problem(2, 1, 4, 0, 64);
  for (const Kernel kernel : kKernels) {
    const Result result = run(kernel, problem);
    BOOST_TEST((result.o == std::vector<float>(8, 0.0F)));
    BOOST_TEST((result.l == std::vector<float>(2, 0.0F)));
    BOOST_TEST((result.m == std::vector<float>(2, -std::numeric_limits<float>::infinity())));
  }
}

BOOST_AUTO_TEST_CASE(a_given_scale_takes_the_place_of_the_default) {
  Problem problem = make_problem(1, 1, 4, 2, 64);
  problem.q = {1.0F, 0.0F, 0.0F, 0.0F};
  problem.k = {3.0F, 0.0F, 0.0F, 0.0F, 1.0F, 0.0F, 0.0F, 0.0F};
  BOOST_TEST(run(kKernels[0], problem).m[0] == 1.5F);  // 3 / sqrt(4)
  problem.arguments.scale = 2.0F;
  for (const Kernel kernel : kKernels) BOOST_TEST(run(kernel, problem).m[0] == 6.0F);
}

BOOST_AUTO_TEST_SUITE_END()
