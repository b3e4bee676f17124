// SPDX-License-Identifier: Apache-2.0
//
// Split-KV decode: each part's softmax state, and the merge of them, on PEs that share an HBM.
#include <boost/test/unit_test.hpp>
#include <memory>

#include "data_mode/decode_problem.hpp"
#include "petal/host/kernels/gqa_decode_split.hpp"

using namespace petal;
using namespace petal::test;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct SplitRun {
  SplitRun(DecodeProblem given, std::uint64_t splits, std::size_t pes)
      : problem(std::move(given)), bench(sharing(pes)) {
    problem.round_inputs();
    problem.place(bench.image());
    const Dims states{splits, problem.arguments.q_heads};
    m_parts = bench.put(states, DType::f32, {-7.0});
    l_parts = bench.put(states, DType::f32, {-7.0});
    o_parts = bench.put({splits, problem.arguments.q_heads, problem.arguments.head_dim}, DType::f32, {-7.0});
    GqaSplitArguments arguments;
    arguments.decode = problem.arguments;
    arguments.splits = splits;
    arguments.m_parts = m_parts.address;
    arguments.l_parts = l_parts.address;
    arguments.o_parts = o_parts.address;
    bench.launch([arguments](TlContext& tl) { gqa_decode_split(tl, arguments); });
    bench.launch([arguments](TlContext& tl) { gqa_decode_combine(tl, arguments); });
  }

  DecodeProblem problem;
  DataBench bench;
  TensorHandle m_parts, l_parts, o_parts;
};

DecodeProblem waves(std::uint64_t kv_len, DType dtype, std::uint64_t tile) {
  DecodeProblem problem(6, 2, 20, kv_len, dtype);
  problem.arguments.tile = tile;
  const auto fill = [](Values& values, double frequency) {
    for (std::size_t index = 0; index < values.size(); ++index)
      values[index] = 2.0 * std::sin(frequency * static_cast<double>(index + 1));
  };
  fill(problem.q, 0.7);
  fill(problem.k, 1.3);
  fill(problem.v, 0.3);
  return problem;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(split_decode)

// F25: 4 splits over 3 keys, a key a tile: three parts of one key and an empty one. All scores are 0 and V is
// 1, 2, 6, so m = 0, l = 3, O = 3.
BOOST_AUTO_TEST_CASE(four_splits_over_three_keys_are_the_unsplit_result) {
  DecodeProblem problem(1, 1, 1, 3, DType::f32);
  problem.arguments.tile = 1;
  problem.v = {1, 2, 6};
  SplitRun split(problem, 4, 4), whole(problem, 1, 1);
  simulate();
  for (const SplitRun* run : {&split, &whole}) {
    const DecodeResult result = run->problem.read(run->bench);
    BOOST_TEST(result.o[0] == 3.0);
    BOOST_TEST(result.m[0] == 0.0);
    BOOST_TEST(result.l[0] == 3.0);
  }
  BOOST_TEST((split.bench.read(split.m_parts) == Values{0, 0, 0, -kInfinity}));
  BOOST_TEST((split.bench.read(split.l_parts) == Values{1, 1, 1, 0}));
  BOOST_TEST((split.bench.read(split.o_parts) == Values{1, 2, 6, 0}));
}

// F24 for parts: no keys at all leave every part empty; O = 0, l = 0, m = -inf, and not a NaN.
BOOST_AUTO_TEST_CASE(no_keys_at_all_give_zero) {
  SplitRun run(DecodeProblem(4, 2, 8, 0, DType::f16), 3, 2);
  simulate();
  const DecodeResult result = run.problem.read(run.bench);
  BOOST_TEST((result.o == Values(32, 0.0)));
  BOOST_TEST((result.l == Values(4, 0.0)));
  BOOST_TEST((result.m == Values(4, -kInfinity)));
}

BOOST_AUTO_TEST_CASE(every_split_agrees_with_the_definition) {
  std::vector<std::unique_ptr<SplitRun>> runs;
  for (const std::uint64_t kv_len : {1U, 16U, 17U, 100U})
    for (const std::uint64_t splits : {1U, 2U, 3U, 8U})
      for (const DType dtype : {DType::f32, DType::f16})
        runs.push_back(std::make_unique<SplitRun>(waves(kv_len, dtype, 16), splits, splits == 3 ? 5 : 2));
  simulate();
  for (const auto& run : runs)
    require_close(run->problem.read(run->bench), run->problem.solve(), 1e-5,
                  std::to_string(run->problem.arguments.kv_len) + " keys");
}

BOOST_AUTO_TEST_SUITE_END()
