// SPDX-License-Identifier: Apache-2.0
//
// Attention that went wrong elsewhere: masks, padding, overflow, odd sizes, heads.
#include <boost/test/unit_test.hpp>

#include "data_mode/decode_problem.hpp"
#include "support/event_log.hpp"

using namespace petal;
using namespace petal::test;

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Runs `problem` by every kernel; build any number, then simulate().
class ByEveryKernel {
 public:
  explicit ByEveryKernel(const DecodeProblem& problem, const PlatformConfig& config = {})
      : problem_(problem) {
    HbmImage image;
    problem_.place(image);
    for (const DecodeKernel& kernel : kDecodeKernels) {
      benches_.push_back(std::make_unique<DataBench>(config, image));
      problem_.launch(*benches_.back(), kernel);
    }
  }

  void check(const DecodeResult& expected, double tolerance, const std::string& what) const {
    for (std::size_t index = 0; index < benches_.size(); ++index)
      require_close(problem_.read(*benches_[index]), expected, tolerance,
                    what + " by " + kDecodeKernels[index].name);
  }
  std::vector<std::byte> o_of(std::size_t kernel) const {
    return benches_[kernel]->bytes(dense_tensor(Space::hbm, problem_.arguments.o,
                                                {problem_.arguments.q_heads, problem_.arguments.head_dim},
                                                problem_.arguments.out_dtype));
  }

 private:
  DecodeProblem problem_;
  std::vector<std::unique_ptr<DataBench>> benches_;
};

/// softmax_merge of one tile of `scores` into the state (m, l, O), then O = O corr + P V, as opt2's second
/// composite does it.
struct Merge {
  Merge(TlContext& tl, std::uint64_t group, std::uint64_t head_dim, double m_start, double l_start)
      : m(tl.full({group}, static_cast<float>(m_start))),
        l(tl.full({group}, static_cast<float>(l_start))),
        o(tl.zeros({group, head_dim})) {}

  TensorHandle add_tile(TlContext& tl, const TensorHandle& scores, const TensorHandle& values) const {
    CompositeRequest request;
    request.prologue = {
        CompositeEntry("softmax_merge", {{"s", tl.load(scores)}, {"m", m}, {"l", l}, {"O", o}})};
    request.b = values;
    request.out = o;
    request.epilogue = {CompositeEntry("add", {{"other", o}})};
    return tl.composite(request);
  }

  TensorHandle m, l, o;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(decode_failures)

// F01: the head's out is also an operand of its epilogue: O = P.V, then O += O. The old O must survive until
// the add and P.V must not be stored before it: 10 + 3, 20 + 4. With two keys, each of half the value, the
// weights add up to 2; N and K in one and in two tiles.
BOOST_AUTO_TEST_CASE(an_output_that_its_epilogue_reads_is_added_once) {
  struct Case {
    std::uint64_t tile;
    Values values;
    double l;
    std::unique_ptr<DataBench> bench;
    TensorHandle m, l_out, o;
  };
  std::vector<Case> cases;
  for (const std::uint64_t tile : {1U, 2U})
    for (const bool two_keys : {false, true}) {
      PlatformConfig config;
      if (tile == 1) config.pes.front().scheduler.gemm_tile = {1, 1, 1};
      cases.push_back({tile,
                       two_keys ? Values{1, 2, 2, 2} : Values{3, 4},
                       two_keys ? 3.0 : 2.0,
                       std::make_unique<DataBench>(config),
                       {},
                       {},
                       {}});
      Case& here = cases.back();
      const std::uint64_t keys = here.values.size() / 2;
      DataBench& bench = *here.bench;
      const TensorHandle s = bench.put({1, keys}, DType::f32, {0.0});
      const TensorHandle v = bench.put({keys, 2}, DType::f32, here.values);
      const TensorHandle old = bench.put({1, 2}, DType::f32, {10, 20});
      here.m = bench.put({1}, DType::f32, {-1});
      here.l_out = bench.put({1}, DType::f32, {-1});
      here.o = bench.put({1, 2}, DType::f32, {-1});
      bench.launch([s, v, old, m = here.m, l = here.l_out, o = here.o](TlContext& tl) {
        Merge state(tl, 1, 2, 0.0, 1.0);
        state.o = tl.load(old);
        state.add_tile(tl, s, v);
        tl.store(m, state.m);
        tl.store(l, state.l);
        tl.store(o, state.o);
      });
    }
  simulate();
  for (const Case& here : cases) {
    BOOST_TEST(here.bench->read_one(here.m) == 0.0);
    BOOST_TEST(here.bench->read_one(here.l_out) == here.l);
    BOOST_TEST((here.bench->read(here.o) == Values{13, 24}));
  }
}

// F02: row 0 sees no key of tile 1 and heals in tile 2; no NaN on the way, P included.
BOOST_AUTO_TEST_CASE(a_fully_masked_tile_leaves_the_row_as_it_was_and_the_next_tile_heals_it) {
  DataBench bench;
  const TensorHandle s1 =
      bench.put({2, 4}, DType::f32, {-kInfinite, -kInfinite, -kInfinite, -kInfinite, 0, 0, 0, 0});
  const TensorHandle s2 = bench.put({2, 4}, DType::f32, {0.0});
  const TensorHandle v1 = bench.put({4, 1}, DType::f32, {1.0});
  const TensorHandle v2 = bench.put({4, 1}, DType::f32, {5.0});
  const TensorHandle p1 = bench.put({2, 4}, DType::f32, {-1});
  std::vector<TensorHandle> after;  // m, l, O after each tile
  for (int i = 0; i < 6; ++i) after.push_back(bench.put(i % 3 == 2 ? Dims{2, 1} : Dims{2}, DType::f32, {-1}));
  bench.launch([=](TlContext& tl) {
    const Merge state(tl, 2, 1, -kInfinite, 0.0);
    CompositeRequest merge_alone;  // P is its result; on a state of its own
    const Merge copy(tl, 2, 1, -kInfinite, 0.0);
    merge_alone.op = "math";
    merge_alone.prologue = {
        CompositeEntry("softmax_merge", {{"s", tl.load(s1)}, {"m", copy.m}, {"l", copy.l}, {"O", copy.o}})};
    tl.store(p1, tl.composite(merge_alone));
    int place = 0;
    for (const auto& [s, v] : {std::pair(s1, v1), std::pair(s2, v2)}) {
      state.add_tile(tl, s, v);
      for (const TensorHandle& tensor : {state.m, state.l, state.o})
        tl.store(after[static_cast<std::size_t>(place++)], tensor);
    }
  });
  simulate();
  BOOST_TEST((bench.read(p1) == Values{0, 0, 0, 0, 1, 1, 1, 1}));
  BOOST_TEST((bench.read(after[0]) == Values{-kInfinite, 0}));
  BOOST_TEST((bench.read(after[1]) == Values{0, 4}));
  BOOST_TEST((bench.read(after[2]) == Values{0, 4}));
  BOOST_TEST((bench.read(after[3]) == Values{0, 0}));
  BOOST_TEST((bench.read(after[4]) == Values{4, 8}));
  BOOST_TEST((bench.read(after[5]) == Values{20, 24}));
}

// F05: two composites with states of their own and one P, reused by scratch scopes; the GEMM of the first is
// slow, so that the second's prologue could overtake it.
BOOST_AUTO_TEST_CASE(scratch_that_is_used_again_is_safe_while_a_slow_gemm_reads_it) {
  PlatformConfig config = with_free_dispatch();
  config.pes.front().cpu.auto_await = AutoAwait::none;
  config.pes.front().gemm.macs_per_cycle_f32 = 0.001;
  config.pes.front().scheduler.gemm_tile = {1, 1, 1};
  DataBench bench(config);
  const TensorHandle s_a = bench.put({1, 8}, DType::f32, {0.0});
  const TensorHandle s_b =
      bench.put({1, 8}, DType::f32,
                {0, -kInfinite, -kInfinite, -kInfinite, -kInfinite, -kInfinite, -kInfinite, -kInfinite});
  const TensorHandle v_a = bench.put({8, 1}, DType::f32, {1.0});
  const TensorHandle v_b = bench.put({8, 1}, DType::f32, {7.0});
  std::vector<TensorHandle> results;
  for (int i = 0; i < 4; ++i) results.push_back(bench.put({1}, DType::f32, {-1}));
  bench.launch([=](TlContext& tl) {
    const Merge a(tl, 1, 1, -kInfinite, 0.0);
    const Merge b(tl, 1, 1, -kInfinite, 0.0);
    {
      const ScratchScope scope = tl.scratch_scope();
      a.add_tile(tl, s_a, v_a);
    }
    {
      const ScratchScope scope = tl.scratch_scope();
      b.add_tile(tl, s_b, v_b);
    }
    std::size_t place = 0;
    for (const Merge* const state : {&a, &b}) {
      const TensorHandle as_vector = tl.max(state->o);  // [1, 1] to [1]
      tl.store(results[place++], as_vector);
      tl.store(results[place++], state->l);
    }
  });
  simulate();
  const double expected[] = {8, 8, 7, 1};
  for (std::size_t i = 0; i < 4; ++i) BOOST_TEST(bench.read_one(results[i]) == expected[i]);
}

// F13: every score is -5 and V[j] = j: l counts the keys and O is their mean. A padded key of score -5 or 0
// would show in both.
BOOST_AUTO_TEST_CASE(padding_of_the_last_tile_has_no_weight) {
  std::vector<std::pair<std::uint64_t, std::unique_ptr<ByEveryKernel>>> runs;
  for (const std::uint64_t keys : {1U, 63U, 65U, 127U, 129U}) {
    DecodeProblem problem(1, 1, 16, keys, DType::f16);
    problem.arguments.scale = 1.0F;
    problem.q[0] = 1.0;
    for (std::uint64_t key = 0; key < keys; ++key) {
      problem.k[key * 16] = -5.0;
      for (std::uint64_t i = 0; i < 16; ++i) problem.v[key * 16 + i] = static_cast<double>(key);
    }
    runs.emplace_back(keys, std::make_unique<ByEveryKernel>(problem));
  }
  simulate();
  for (const auto& [keys, run] : runs) {
    const auto count = static_cast<double>(keys);
    run->check({Values(16, (count - 1) / 2), {-5.0}, {count}}, 1e-6, std::to_string(keys) + " keys");
  }
}

// F14: sums in the inputs' dtypes would stop at 256 (bf16) and 2048 (f16).
BOOST_AUTO_TEST_CASE(the_sum_of_many_equal_weights_does_not_stall) {
  std::vector<std::pair<double, std::unique_ptr<ByEveryKernel>>> runs;
  for (const auto& [dtype, keys] : {std::pair(DType::bf16, 512U), std::pair(DType::f16, 4096U)})
    for (const std::uint64_t tile : {64U, keys}) {
      DecodeProblem problem(1, 1, 4, keys, dtype);
      problem.arguments.tile = tile;
      problem.v.assign(problem.v.size(), 1.0);
      runs.emplace_back(keys, std::make_unique<ByEveryKernel>(problem));
    }
  simulate();
  for (const auto& [keys, run] : runs) run->check({Values(4, 1.0), {0.0}, {keys}}, 0.0, "equal keys");
}

// F15: scores and un-normalised sums beyond f16's 65504 are f32. 128 x 256 x 256 / sqrt(128) = 741455.2.
BOOST_AUTO_TEST_CASE(scores_and_sums_beyond_f16_do_not_overflow) {
  DecodeProblem large_score(1, 1, 128, 1, DType::f16);
  large_score.q.assign(128, 256.0);
  large_score.k.assign(128, 256.0);
  large_score.v.assign(128, 2.0);
  DecodeProblem large_sum(1, 1, 128, 500, DType::f16);
  large_sum.v.assign(500 * 128, 300.0);
  const ByEveryKernel score(large_score);
  const ByEveryKernel sum(large_sum);
  simulate();
  score.check({Values(128, 2.0), {8388608.0 / std::sqrt(128.0)}, {1.0}}, 1e-7, "score");
  sum.check({Values(128, 300.0), {0.0}, {500.0}}, 1e-6, "sum");
}

// F16: 64 x 133120^2 / 8 = 1.417674752e11, the same number for the maximum and for the score.
BOOST_AUTO_TEST_CASE(a_huge_score_is_its_own_maximum) {
  DecodeProblem problem(1, 1, 64, 1, DType::bf16);
  for (Values* const values : {&problem.q, &problem.k, &problem.v}) values->assign(64, 133120.0);
  const ByEveryKernel run(problem);
  simulate();
  run.check({Values(64, 133120.0), {1.417674752e11}, {1.0}}, 0.0, "bf16");
}

// F20: with K = 0 all weights are equal and V of KV head j is j + 1, so query head h gives floor(h / group) +
// 1. Each KV head's K and V are read once for its whole group.
BOOST_AUTO_TEST_CASE(a_query_head_reads_the_kv_head_of_its_group) {
  struct Case {
    DecodeProblem problem;
    std::unique_ptr<DataBench> bench;
    std::unique_ptr<EventLog> log;
  };
  std::vector<Case> cases;
  for (const auto& [q_heads, kv_heads] : {std::pair(12U, 12U), {32U, 8U}, {28U, 4U}, {24U, 4U}})
    for (const DecodeKernel& kernel : kDecodeKernels) {
      DecodeProblem problem(q_heads, kv_heads, 8, 20, DType::f16);
      problem.arguments.tile = 8;
      for (std::size_t index = 0; index < problem.v.size(); ++index)
        problem.v[index] = static_cast<double>(index / (20 * 8) + 1);
      PlatformConfig config;
      for (const char* const name : {"pe1", "pe2"}) {
        config.pes.push_back(config.pes.front());
        config.pes.back().name = name;
      }
      HbmImage image;
      problem.place(image);
      cases.push_back({problem, std::make_unique<DataBench>(config, image), std::make_unique<EventLog>()});
      cases.back().bench->platform().attach(*cases.back().log);
      problem.launch(*cases.back().bench, kernel);
    }
  simulate();
  for (const Case& here : cases) {
    const GqaDecodeArguments& a = here.problem.arguments;
    Values expected;
    for (std::uint64_t index = 0; index < a.q_heads * 8; ++index)
      expected.push_back(static_cast<double>(index / 8 / (a.q_heads / a.kv_heads) + 1));
    require_close(here.problem.read(*here.bench).o, expected, 1e-6, "O");
    std::uint64_t read_bytes = 0;
    for (const LoggedStage& stage : here.log->stages_of_kind(StageKind::dma_read)) read_bytes += stage.bytes;
    BOOST_TEST(read_bytes == 2 * (a.q_heads * 8 + 2 * a.kv_heads * 20 * 8));
  }
}

// F22: a head_dim that is no power of two, TCM full of NaN. out = 1 / (1 + exp(-0.1 sqrt(d))); the numbers
// are those of the bug reports.
BOOST_AUTO_TEST_CASE(a_head_dim_that_is_no_power_of_two_is_not_padded) {
  struct Case {
    std::uint64_t head_dim;
    double out;
    std::unique_ptr<ByEveryKernel> first, second;
  };
  std::vector<Case> cases;
  for (const auto& [head_dim, out] :
       {std::pair(72U, 0.700258), {80U, 0.709803}, {96U, 0.727068}, {192U, 0.799895}, {256U, 0.832018}}) {
    DecodeProblem problem(1, 1, head_dim, 2, DType::f32);
    problem.q.assign(head_dim, 1.0);
    std::fill_n(problem.k.begin(), head_dim, 0.1);
    std::fill_n(problem.v.begin(), head_dim, 1.0);
    cases.push_back(
        {head_dim, out, std::make_unique<ByEveryKernel>(problem), std::make_unique<ByEveryKernel>(problem)});
  }
  simulate();
  for (const Case& here : cases) {
    const double score = 0.1 * std::sqrt(static_cast<double>(here.head_dim));
    here.first->check({Values(here.head_dim, here.out), {score}, {1 + std::exp(-score)}}, 1e-5, "d");
    for (std::size_t kernel = 0; kernel < 4; ++kernel)
      BOOST_TEST((here.first->o_of(kernel) == here.second->o_of(kernel)));
  }
}

// F24: no keys give 0 and an empty state, one key its V row exactly; lengths 0, 1, 0, 5 one after the other,
// and one query row against 20 keys in tiles of 16.
BOOST_AUTO_TEST_CASE(no_keys_give_zero_and_one_key_gives_its_value) {
  std::vector<std::unique_ptr<DataBench>> benches;
  std::vector<DecodeProblem> batch;
  HbmImage image;
  for (const std::uint64_t keys : {0U, 1U, 0U, 5U, 20U}) {
    DecodeProblem problem(keys == 20 ? 1 : 3, 1, 8, keys, DType::f32);
    problem.arguments.tile = 16;
    for (std::size_t index = 0; index < problem.q.size(); ++index)
      problem.q[index] = 0.25 * static_cast<double>(index % 5);
    for (std::size_t index = 0; index < problem.k.size(); ++index) {
      problem.k[index] = 0.5 - 0.125 * static_cast<double>(index % 7);
      problem.v[index] = 0.1 * static_cast<double>(index) - 1.0;
    }
    problem.round_inputs();
    problem.place(image);
    batch.push_back(problem);
  }
  for (const DecodeKernel& kernel : kDecodeKernels) {
    benches.push_back(std::make_unique<DataBench>(PlatformConfig(), image));
    for (const DecodeProblem& problem : batch) problem.launch(*benches.back(), kernel);
  }
  simulate();
  for (const auto& bench : benches) {
    for (const std::size_t empty : {0U, 2U}) {
      const DecodeResult result = batch[empty].read(*bench);
      BOOST_TEST((result.o == Values(24, 0.0)));
      BOOST_TEST((result.m == Values(3, -kInfinite)));
      BOOST_TEST((result.l == Values(3, 0.0)));
    }
    const Values one = batch[1].read(*bench).o;
    for (std::size_t index = 0; index < one.size(); ++index) BOOST_TEST(one[index] == batch[1].v[index % 8]);
    for (const std::size_t some : {3U, 4U})
      require_close(batch[some].read(*bench), batch[some].solve(), 1e-6, "some keys");
  }
}

// F49: low scores are not taken for masked ones.
BOOST_AUTO_TEST_CASE(very_low_scores_are_not_masked) {
  const auto problem_with = [](double first, double second) {
    DecodeProblem problem(1, 1, 1, 2, DType::f32);
    problem.q = {1.0};
    problem.k = {first, second};
    problem.v = {1.0, 0.0};
    return problem;
  };
  const ByEveryKernel low(problem_with(-60000, -60001));
  const ByEveryKernel lowest(problem_with(-1e30, -1e30));
  simulate();
  low.check({{0.731059}, {-60000.0}, {1.367879}}, 1e-6, "-60000");
  lowest.check({{0.5}, {-1e30}, {2.0}}, 1e-6, "-1e30");
}

BOOST_AUTO_TEST_SUITE_END()
