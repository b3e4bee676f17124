// SPDX-License-Identifier: Apache-2.0
//
// What a GEMM computes: every dtype, edges, strides, tile sizes, and the ops on its accumulator.
#include <boost/test/unit_test.hpp>
#include <random>

#include "support/data_bench.hpp"
#include "support/event_log.hpp"
#include "support/scenario_bench.hpp"

using namespace petal;
using namespace petal::test;

namespace {

using Bytewise = std::vector<std::byte>;

/// Integers from -9 to 9, exact in every dtype that a GEMM takes but f8e5m2.
Values small_integers(std::uint64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> uniform(-9, 9);
  Values values(count);
  for (double& value : values) value = uniform(random);
  return values;
}

PlatformConfig with_tile(std::uint64_t m, std::uint64_t k, std::uint64_t n) {
  PlatformConfig config;
  config.pes.front().scheduler.gemm_tile = {m, k, n};
  return config;
}

CompositeRequest gemm_request(const TensorHandle& a, const TensorHandle& b, const TensorHandle& out) {
  CompositeRequest request;
  request.a = a;
  request.b = b;
  request.out = out;
  return request;
}

CompositeEntry at_scope(CompositeEntry entry, Scope scope) {
  entry.scope = scope;
  return entry;
}

struct Run {
  std::unique_ptr<DataBench> bench;
  TensorHandle out;
  Values expected;
};

/// The shipped kernel `body` on A and B.
Run shipped(void (*body)(TlContext&, const GemmArguments&), GemmArguments arguments, const Values& a,
            const Values& b, const PlatformConfig& config = {}) {
  Run run{std::make_unique<DataBench>(config), {}, {}};
  arguments.a = run.bench->put({arguments.m, arguments.k}, arguments.dtype, a).address;
  arguments.b = run.bench->put({arguments.k, arguments.n}, arguments.dtype, b).address;
  run.out = run.bench->put({arguments.m, arguments.n}, arguments.out_dtype, {-77.0});
  arguments.c = run.out.address;
  run.bench->launch([=](TlContext& tl) { body(tl, arguments); });
  return run;
}

/// One composite with the operands in HBM, and what `adjust` makes of the request.
Run composite(const PlatformConfig& config, std::uint64_t m, std::uint64_t k, std::uint64_t n, DType dtype,
              DType out_dtype, const Values& a, const Values& b,
              const std::function<void(TlContext&, CompositeRequest&)>& adjust) {
  Run run{std::make_unique<DataBench>(config), {}, {}};
  const TensorHandle left = run.bench->put({m, k}, dtype, a);
  const TensorHandle right = run.bench->put({k, n}, dtype, b);
  run.out = run.bench->put({m, n}, out_dtype, {7.0});
  run.bench->launch([=, out = run.out](TlContext& tl) {
    CompositeRequest request = gemm_request(left, right, out);
    adjust(tl, request);
    tl.composite(request);
  });
  return run;
}

/// C [m, n], in rows of 80, of f16, amid bytes of 0xA5.
class GuardedProduct {
 public:
  GuardedProduct(std::uint64_t m, std::uint64_t n)
      : bench_(with_tile(32, 64, 32)), a_(small_integers(m * 32, 4)), b_(small_integers(32 * n, 5)) {
    bench_.platform().attach(log_);
    const TensorHandle left = bench_.put({m, 32}, DType::f16, a_);
    const TensorHandle right = bench_.put({32, n}, DType::f16, b_);
    c_ = dense_tensor(Space::hbm, 0x100000, {m, n}, DType::f16);
    c_.strides = {80, 1};
    bench_.image().fill(c_.address - kGuard, bytes(), std::byte{0xA5});
    bench_.launch([=, c = c_](TlContext& tl) {
      tl.composite(gemm_request(left, right, tl.ref(c.address, c.shape, c.dtype, c.strides)));
    });
  }

  void check() const {
    BOOST_TEST((bench_.read(c_) == product(a_, b_, c_.shape[0], 32, c_.shape[1])));
    std::vector<std::uint64_t> sizes;
    for (const LoggedStage& stage : log_.stages_of_kind(StageKind::dma_write)) sizes.push_back(stage.bytes);
    std::sort(sizes.begin(), sizes.end());
    BOOST_TEST((sizes == std::vector<std::uint64_t>{128, 512, 512, 512, 2048, 2048}));
    Bytewise around = bench_.bytes(c_.address - kGuard, bytes());
    for_each_element(c_, [&](std::uint64_t address) {
      std::fill_n(around.begin() + static_cast<std::ptrdiff_t>(address - c_.address + kGuard), 2,
                  std::byte{0xA5});
    });
    BOOST_TEST((around == Bytewise(bytes(), std::byte{0xA5})));
  }

 private:
  static constexpr std::uint64_t kGuard = 4096;
  std::uint64_t bytes() const { return kGuard + c_.shape[0] * 160 + kGuard; }

  DataBench bench_;
  EventLog log_;
  Values a_, b_;
  TensorHandle c_;
};

void nothing_more(TlContext&, CompositeRequest&) {}

constexpr void (*kGemms[])(TlContext&, const GemmArguments&) = {&gemm, &gemm_load_ref, &gemm_load_load};

}  // namespace

BOOST_AUTO_TEST_SUITE(gemm_numbers)

// Sums of products of small integers are exact in f32 in any order, and so are products of i8 in i32. Ragged
// in every direction, on one PE and on three.
BOOST_AUTO_TEST_CASE(integers_are_exact_in_every_dtype_and_kernel) {
  const GemmArguments sizes{70, 130, 75, DType::f16, DType::f32, 0, 0, 0};
  const Values a = small_integers(70 * 130, 1);
  const Values b = small_integers(130 * 75, 2);
  const Values expected = product(a, b, 70, 130, 75);
  PlatformConfig three;
  for (const char* const name : {"pe1", "pe2"}) {
    three.pes.push_back(three.pes.front());
    three.pes.back().name = name;
  }
  std::vector<Run> runs;
  for (const DType dtype : {DType::f32, DType::f16, DType::bf16, DType::f8e4m3, DType::i8})
    for (const auto body : kGemms)
      for (const PlatformConfig& config : {PlatformConfig(), three}) {
        GemmArguments arguments = sizes;
        arguments.dtype = dtype;
        arguments.out_dtype = dtype == DType::i8 ? DType::i32 : DType::f32;
        runs.push_back(shipped(body, arguments, a, b, config));
      }
  simulate();
  for (const Run& run : runs) BOOST_TEST((run.bench->read(run.out) == expected));
}

// i8: 1000 x -128 x -128 = 16384000, beyond f32's 2^24 when one is taken off.
BOOST_AUTO_TEST_CASE(products_of_i8_are_summed_as_integers) {
  Values a(1025, -128.0);
  Values b(1025, -128.0);
  a[1024] = 1.0;
  b[1024] = 1.0;  // 2^24 + 1, which f32 does not have
  Run run = shipped(&gemm, {1, 1025, 1, DType::i8, DType::i32, 0, 0, 0}, a, b);
  simulate();
  BOOST_TEST(run.bench->read_one(run.out) == 16777217.0);
}

// i8 in, f16 out: the i32 sum becomes f32, is multiplied by the scale op's factor and rounded once.
// 3 x (100 x 100) x 2^-10 = 29.296875, which f16 has; 127 x 127 x 2^-7 = 126.0078125 becomes 126.
BOOST_AUTO_TEST_CASE(an_epilogue_dequantises_a_product_of_i8) {
  const auto dequantised = [](float factor, double value, std::uint64_t k) {
    return composite({}, 1, k, 1, DType::i8, DType::f16, {value}, {value},
                     [factor](TlContext&, auto& request) {
                       request.epilogue = {CompositeEntry("scale")};
                       request.epilogue.back().scalars = {{"factor", factor}};
                     });
  };
  const Run exact = dequantised(0x1p-10F, 100.0, 3);
  const Run rounds = dequantised(0x1p-7F, 127.0, 1);
  simulate();
  BOOST_TEST(exact.bench->read_one(exact.out) == 29.296875);
  BOOST_TEST(rounds.bench->read_one(rounds.out) == 126.0);
}

// 2048 + 1 + 1 in f16 and 256 + 1 + 1 in bf16: rounding after each K tile would lose the ones. 2048 + 1 alone
// is a tie and goes to even, 2048 + 3 likewise to 2052.
BOOST_AUTO_TEST_CASE(a_result_is_rounded_once_at_the_end) {
  const auto sum = [](DType out, Values terms) {
    const std::uint64_t k = terms.size();
    return composite(with_tile(1, 1, 1), 1, k, 1, DType::f32, out, terms, {1.0}, nothing_more);
  };
  std::vector<std::pair<double, Run>> runs;
  runs.emplace_back(2050.0, sum(DType::f16, {2048, 1, 1}));
  runs.emplace_back(2048.0, sum(DType::f16, {2048, 1}));
  runs.emplace_back(2052.0, sum(DType::f16, {2048, 1, 1, 1}));
  runs.emplace_back(258.0, sum(DType::bf16, {256, 1, 1}));
  runs.emplace_back(18.0, sum(DType::f8e4m3, {16, 1, 1}));
  runs.emplace_back(10.0, sum(DType::f8e5m2, {8, 1, 1}));
  simulate();
  for (const auto& [expected, run] : runs) BOOST_TEST(run.bench->read_one(run.out) == expected);
}

// F14: ones [1, 4096] x ones [4096, 1]; an f16 sum would stop at 2048.
BOOST_AUTO_TEST_CASE(a_sum_of_4096_ones_does_not_stall) {
  const Run f16 = shipped(&gemm, {1, 4096, 1, DType::f16, DType::f32, 0, 0, 0}, {1.0}, {1.0});
  DataBench sums;
  std::vector<std::pair<TensorHandle, TensorHandle>> ones;
  for (const auto& [dtype, count] : {std::pair(DType::bf16, 512U), std::pair(DType::f16, 4096U)})
    ones.emplace_back(sums.put({1, count}, dtype, {1.0}), sums.put({1}, dtype, {-1.0}));
  sums.launch([ones](TlContext& tl) {
    for (const auto& [from, to] : ones) tl.store(to, tl.sum(tl.load(from)));
  });
  simulate();
  BOOST_TEST(f16.bench->read_one(f16.out) == 4096.0);
  BOOST_TEST(sums.read_one(ones[0].second) == 512.0);
  BOOST_TEST(sums.read_one(ones[1].second) == 4096.0);
}

// The order of the sum is k ascending whatever the tiles are: the same bits.
BOOST_AUTO_TEST_CASE(tile_sizes_do_not_change_a_bit) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Values a(33 * 257), b(257 * 41);
  for (double& value : a) value = uniform(random);
  for (double& value : b) value = uniform(random);
  std::vector<Run> runs;
  for (const GemmTile& tile :
       {GemmTile{32, 64, 32}, {32, 16, 32}, {32, 256, 32}, {33, 257, 41}, {1, 64, 1}, {7, 3, 5}, {64, 1, 64}})
    runs.push_back(shipped(&gemm, {33, 257, 41, DType::f32, DType::f32, 0, 0, 0}, a, b,
                           with_tile(tile.m, tile.k, tile.n)));
  simulate();
  const Bytewise first = runs.front().bench->bytes(runs.front().out);
  for (const Run& run : runs) BOOST_TEST((run.bench->bytes(run.out) == first));
  require_close(runs.front().bench->read(runs.front().out),
                product(rounded(a, DType::f32), rounded(b, DType::f32), 33, 257, 41), 1e-6, "product");
}

// F21: 40 x 72 and 72 x 40 in tiles of 32 x 32 into rows 80 long, with 0xA5 in every byte around.
BOOST_AUTO_TEST_CASE(ragged_tiles_into_a_strided_matrix_leave_the_guard_bytes_alone) {
  GuardedProduct wide(40, 72);
  GuardedProduct tall(72, 40);
  simulate();
  wide.check();
  tall.check();
}

// F23: a C full of 7. K = 0 gives 0, or the bias of 3; M = 0 and N = 0 touch
// nothing.
BOOST_AUTO_TEST_CASE(an_inner_dimension_of_zero_gives_zero_or_the_bias) {
  const auto with_bias = [](const Dims& shape) {
    return [shape](TlContext& tl, CompositeRequest& request) {
      request.epilogue = {CompositeEntry("add", {{"other", tl.full(shape, 3.0F)}})};
    };
  };
  std::vector<Run> runs;
  const auto add = [&](std::uint64_t m, std::uint64_t k, std::uint64_t n, double expected,
                       const auto& adjust) {
    runs.push_back(composite({}, m, k, n, DType::f16, DType::f16, {1.0}, {1.0}, adjust));
    runs.back().expected = Values(m * n, expected);
  };
  add(4, 0, 4, 0.0, nothing_more);
  add(4, 0, 4, 3.0, with_bias({4, 4}));
  add(40, 0, 50, 3.0, with_bias({40, 50}));
  add(0, 4, 4, 0.0, nothing_more);
  add(4, 4, 0, 0.0, nothing_more);
  add(4, 0, 4, 0.0, [](TlContext&, CompositeRequest& request) { request.scale = 5.0F; });
  simulate();
  for (const Run& run : runs) {
    BOOST_TEST((run.bench->read(run.out) == run.expected));
    // Behind the matrix nothing was written.
    for (const std::byte byte : run.bench->bytes(run.out.range().end, 64)) BOOST_TEST((byte == std::byte{0}));
  }
}

// SPEC 11.14, 11.17. A = 1, 1, 1, 1 and B = -3, -2, 4, 5 in K tiles of 2: sums -5, then 4 (relu each time: 0,
// then 9). A K_TILE op acts on the running sum; the scale comes after the last and before OUTPUT_TILE ops.
BOOST_AUTO_TEST_CASE(k_tile_ops_act_on_the_running_sum_before_the_scale) {
  std::vector<std::pair<double, Run>> runs;
  const auto add = [&](double expected, const auto& adjust) {
    runs.emplace_back(expected, composite(with_tile(1, 2, 1), 1, 4, 1, DType::f16, DType::f32, {1.0},
                                          {-3, -2, 4, 5}, adjust));
  };
  const auto relu = [](Scope scope) { return at_scope(CompositeEntry("relu"), scope); };
  const auto bias = [](TlContext& tl, float value, Scope scope) {
    return at_scope(CompositeEntry("add", {{"other", tl.full({1, 1}, value)}}), scope);
  };
  add(4.0, [&](TlContext&, auto& request) { request.epilogue = {relu(Scope::output_tile)}; });
  add(9.0, [&](TlContext&, auto& request) { request.epilogue = {relu(Scope::k_tile)}; });
  // (-5 + 100) + 9 + 100
  add(204.0, [&](TlContext& tl, auto& request) { request.epilogue = {bias(tl, 100.0F, Scope::k_tile)}; });
  // 204 x 0.5 + 1000
  add(1102.0, [&](TlContext& tl, auto& request) {
    request.scale = 0.5F;
    request.epilogue = {bias(tl, 100.0F, Scope::k_tile), bias(tl, 1000.0F, Scope::output_tile)};
  });
  // max(-5 + 2, 0) = 0; max(9 + 2, 0) = 11; x 2 = 22; - (-22)
  add(-22.0, [&](TlContext& tl, auto& request) {
    request.scale = 2.0F;
    request.epilogue = {bias(tl, 2.0F, Scope::k_tile), relu(Scope::k_tile),
                        at_scope(CompositeEntry("neg"), Scope::output_tile)};
  });
  simulate();
  for (const auto& [expected, run] : runs) BOOST_TEST(run.bench->read_one(run.out) == expected);
}

// The operands of epilogue ops go with their own tile: C[i, j] = (2 + 100 i + j) x (i + 1) over ragged tiles.
BOOST_AUTO_TEST_CASE(epilogue_operands_are_cut_like_the_output) {
  Values whole;
  for (std::uint64_t i = 0; i < 40; ++i)
    for (std::uint64_t j = 0; j < 50; ++j)
      whole.push_back(100.0 * static_cast<double>(i) + static_cast<double>(j));
  Values rows(40);
  for (std::uint64_t i = 0; i < 40; ++i) rows[i] = static_cast<double>(i + 1);
  DataBench bench(with_tile(16, 1, 16));
  const TensorHandle ones_a = bench.put({40, 2}, DType::f16, {1.0});
  const TensorHandle ones_b = bench.put({2, 50}, DType::f16, {1.0});
  const TensorHandle in_hbm = bench.put({40, 50}, DType::f32, whole);
  const TensorHandle rows_in_hbm = bench.put({40}, DType::f32, rows);
  const TensorHandle to_hbm = bench.put({40, 50}, DType::f32, {7.0});
  const TensorHandle from_tcm = bench.put({40, 50}, DType::f32, {7.0});
  bench.launch([=](TlContext& tl) {
    const TensorHandle other = tl.load(in_hbm), factors = tl.load(rows_in_hbm);
    for (const bool in_tcm : {false, true}) {
      CompositeRequest request = gemm_request(ones_a, ones_b, in_tcm ? tl.empty({40, 50}) : to_hbm);
      request.epilogue = {CompositeEntry("add", {{"other", other}}),
                          CompositeEntry("mul_bcast", {{"src_b", factors}})};
      const TensorHandle result = tl.composite(request);
      if (in_tcm) tl.store(from_tcm, result);
    }
  });
  simulate();
  Values expected;
  for (std::uint64_t index = 0; index < whole.size(); ++index)
    expected.push_back((2.0 + whole[index]) * rows[index / 50]);
  BOOST_TEST((bench.read(to_hbm) == expected));
  BOOST_TEST((bench.read(from_tcm) == expected));
}

// A is a strided part of a larger matrix and B is stored transposed, by composite, and by load and dot.
BOOST_AUTO_TEST_CASE(strided_and_transposed_operands_are_read_where_they_lie) {
  const Values a = small_integers(40 * 70, 6);
  const Values stored = small_integers(50 * 70, 7);  // B^T
  Values b(70 * 50);
  for (std::uint64_t i = 0; i < 50; ++i)
    for (std::uint64_t j = 0; j < 70; ++j) b[j * 50 + i] = stored[i * 70 + j];
  DataBench bench;
  const TensorHandle left = bench.put({40, 70}, DType::f16, a, {96, 1});
  const TensorHandle right = bench.put({50, 70}, DType::bf16, stored);
  const TensorHandle composite_out = bench.put({40, 50}, DType::f32, {7.0});
  const TensorHandle dot_out = bench.put({40, 50}, DType::f32, {7.0});
  bench.launch([=](TlContext& tl) {
    tl.composite(gemm_request(left, tl.trans(right), composite_out));
    tl.store(dot_out, tl.dot(tl.load(left), tl.load(tl.trans(right))));
  });
  simulate();
  BOOST_TEST((bench.read(composite_out) == product(a, b, 40, 70, 50)));
  BOOST_TEST((bench.read(dot_out) == product(a, b, 40, 70, 50)));
}

BOOST_AUTO_TEST_SUITE_END()
