// SPDX-License-Identifier: Apache-2.0
//
// What MATH computes in a run: KERNEL-scope ops on tensors of any shape and dtype, and heads that stream from
// HBM in chunks.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "support/data_bench.hpp"

using namespace petal;
using namespace petal::test;

namespace {

/// Chunks of 32 x 32 = 1024 elements.
PlatformConfig streaming() {
  PlatformConfig config;
  config.pes.front().scheduler.math_head_streaming = true;
  return config;
}

CompositeRequest math(const std::string& op, const TensorHandle& a) {
  CompositeRequest request;
  request.op = "math";
  request.math_op = op;
  request.a = a;
  return request;
}

/// -1, -0.75, ..., exact in every floating dtype.
Values quarters(std::uint64_t count) {
  Values values(count);
  for (std::uint64_t index = 0; index < count; ++index)
    values[index] = 0.25 * static_cast<double>(index % 9) - 1.0;
  return values;
}

Values counting(std::uint64_t count) {
  Values values(count);
  for (std::uint64_t index = 0; index < count; ++index) values[index] = static_cast<double>(index + 1);
  return values;
}

template <typename Function>
Values each(const Values& values, Function function) {
  Values result;
  for (std::size_t index = 0; index < values.size(); ++index)
    result.push_back(function(values[index], index));
  return result;
}

Values row_sums(const Values& values, std::uint64_t rows) {
  Values sums(rows, 0.0);
  for (std::size_t index = 0; index < values.size(); ++index)
    sums[index * rows / values.size()] += values[index];
  return sums;
}

/// [50, 70] times one value a row, by a program that was compiled for chunks of 4096 elements.
class RowProducts {
 public:
  explicit RowProducts(const GemmTile& tile) : bench_(platform_with(tile)) {
    const TensorHandle matrix = bench_.put({50, 70}, DType::f16, values_);
    const TensorHandle vector = bench_.put({50}, DType::f16, factors_);
    const TensorHandle column = bench_.put({50, 1}, DType::f32, factors_);
    const TensorHandle i32_matrix = bench_.put({50, 70}, DType::i32, integers_);
    const TensorHandle i32_vector = bench_.put({50}, DType::i32, factors_);
    for (int i = 0; i < 3; ++i) outs_.push_back(bench_.put({50, 70}, DType::f32, {7.0}));
    i32_out_ = bench_.put({50, 70}, DType::i32, {7.0});
    bench_.launch_program([=, outs = outs_, i32_out = i32_out_](CommandSink& sink) {
      TlOptions options;
      options.math_head_streaming = true;
      options.gemm_tile = {64, 64, 64};
      TlContext tl(sink, options);
      const auto multiply = [&tl](const TensorHandle& a, const TensorHandle& b, const TensorHandle& out) {
        CompositeRequest request = math("mul_bcast", a);
        request.b = b;
        request.out = out;
        tl.composite(request);
      };
      multiply(matrix, vector, outs[0]);
      multiply(matrix, column, outs[1]);
      multiply(matrix, tl.load(vector), outs[2]);
      multiply(i32_matrix, i32_vector, i32_out);
    });
  }

  void check() const {
    const auto times_row = [this](double x, std::size_t index) { return x * factors_[index / 70]; };
    for (const TensorHandle& out : outs_) BOOST_TEST((bench_.read(out) == each(values_, times_row)));
    BOOST_TEST((bench_.read(i32_out_) == each(integers_, times_row)));
  }

 private:
  static PlatformConfig platform_with(const GemmTile& tile) {
    PlatformConfig config = streaming();
    config.pes.front().scheduler.gemm_tile = tile;
    return config;
  }

  const Values values_ = quarters(3500);
  const Values factors_ = counting(50);
  const Values integers_ = each(values_, [](double x, std::size_t) { return 4 * x; });
  DataBench bench_;
  std::vector<TensorHandle> outs_;
  TensorHandle i32_out_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(math_numbers)

// 50 x 70 = 3500 elements: three whole chunks and a ragged one, whose borders lie within rows.
BOOST_AUTO_TEST_CASE(a_streamed_head_computes_every_chunk) {
  const Values values = quarters(3500);
  DataBench bench(streaming());
  const TensorHandle source = bench.put({50, 70}, DType::f16, values);
  const TensorHandle to_hbm = bench.put({50, 70}, DType::bf16, {7.0});
  const TensorHandle from_tcm = bench.put({50, 70}, DType::f16, {7.0});
  const TensorHandle sum = bench.put({50, 70}, DType::f16, {7.0});
  bench.launch([=](TlContext& tl) {
    CompositeRequest written = math("relu", source);
    written.out = to_hbm;
    tl.composite(written);
    const TensorHandle negative = tl.composite(math("neg", source));
    tl.store(from_tcm, negative);
    CompositeRequest both = math("add", source);  // one operand in HBM, one in TCM
    both.b = negative;
    both.out = sum;
    tl.composite(both);
  });
  simulate();
  BOOST_TEST((bench.read(to_hbm) == each(values, [](double x, std::size_t) { return std::max(x, 0.0); })));
  BOOST_TEST((bench.read(from_tcm) == each(values, [](double x, std::size_t) { return -x; })));
  BOOST_TEST((bench.read(sum) == Values(3500, 0.0)));
  for (const std::byte byte : bench.bytes(to_hbm.range().end, 64)) BOOST_TEST((byte == std::byte{0}));
}

// One value a row, in HBM and in TCM, floating and integer. In chunks of 1024 elements, 14 rows of 70 and a
// part; in chunks of 35 and 100, rows that chunk borders cut (a recording may be replayed with any tile).
BOOST_AUTO_TEST_CASE(a_streamed_head_repeats_one_value_a_row_across_chunk_borders) {
  std::vector<std::unique_ptr<RowProducts>> runs;
  for (const GemmTile& tile : {GemmTile{64, 64, 64}, {32, 64, 32}, {5, 64, 7}, {10, 64, 10}, {1, 1, 1}})
    runs.push_back(std::make_unique<RowProducts>(tile));
  simulate();
  for (const auto& run : runs) run->check();
}

// 70 rows of 64 are 16 rows a chunk and 6 in the last; 1 x 1000 is one chunk.
BOOST_AUTO_TEST_CASE(a_streamed_reduction_reduces_whole_rows) {
  const Values values = quarters(70 * 64);
  DataBench bench(streaming());
  const TensorHandle matrix = bench.put({70, 64}, DType::f16, values);
  const TensorHandle one_row = bench.put({1, 1000}, DType::f32, counting(1000));
  const TensorHandle cube = bench.put({7, 10, 64}, DType::f16, values);
  const TensorHandle sums = bench.put({70}, DType::f32, {7.0});
  const TensorHandle cube_sums = bench.put({7, 10}, DType::f32, {7.0});
  const TensorHandle maximum = bench.put({1}, DType::f32, {7.0});
  bench.launch([=](TlContext& tl) {
    for (const auto& [op, from, to] :
         {std::tuple("rsum", matrix, sums), {"rsum", cube, cube_sums}, {"rmax", one_row, maximum}}) {
      CompositeRequest request = math(op, from);
      request.out = to;
      tl.composite(request);
    }
  });
  simulate();
  BOOST_TEST((bench.read(sums) == row_sums(values, 70)));
  BOOST_TEST((bench.read(cube_sums) == row_sums(values, 70)));
  BOOST_TEST(bench.read_one(maximum) == 1000.0);
}

// Primitives on tensors of 0 to 4 axes: load, op and store keep the order of the elements.
BOOST_AUTO_TEST_CASE(tensors_of_every_rank_are_computed_in_row_major_order) {
  DataBench bench;
  std::vector<std::pair<TensorHandle, TensorHandle>> tensors;
  for (const Dims& shape : {Dims{}, Dims{5}, Dims{3, 5}, Dims{2, 3, 5}, Dims{2, 2, 3, 5}})
    tensors.emplace_back(bench.put(shape, DType::f16, counting(shape.product())),
                         bench.put(shape, DType::f16, {7.0}));
  bench.launch([=](TlContext& tl) {
    for (const auto& [from, to] : tensors) tl.store(to, tl.scale(tl.load(from), 2.0F));
  });
  simulate();
  for (const auto& [from, to] : tensors)
    BOOST_TEST(
        (bench.read(to) == each(counting(from.elements()), [](double x, std::size_t) { return 2 * x; })));
}

// A transposed tensor is loaded as it is stored and seen transposed: -A^T + B, then back in row-major order.
BOOST_AUTO_TEST_CASE(a_transposed_view_is_seen_transposed) {
  const Values stored = counting(6);
  DataBench bench;
  const TensorHandle a = bench.put({2, 3}, DType::f32, stored);
  const TensorHandle b = bench.put({3, 2}, DType::f32, {10, 20, 30, 40, 50, 60});
  const TensorHandle out = bench.put({3, 2}, DType::f32, {7.0});
  bench.launch([=](TlContext& tl) {
    tl.store(out, tl.add(tl.neg(tl.load(tl.trans(a)), tl.empty({3, 2})), tl.load(b)));
  });
  simulate();
  BOOST_TEST((bench.read(out) == Values{10 - 1, 20 - 4, 30 - 2, 40 - 5, 50 - 3, 60 - 6}));
}

// The eight steps of the merge by hand: s = [1, 3; 2, 2] against m = [2, 2], l = [1, 4]; every op in f32.
BOOST_AUTO_TEST_CASE(a_row_of_ops_computes_the_merge_by_hand) {
  DataBench bench;
  const TensorHandle s = bench.put({2, 2}, DType::f32, {1, 3, 2, 2});
  const TensorHandle m = bench.put({2}, DType::f32, {2, 2});
  const TensorHandle l = bench.put({2}, DType::f32, {1, 4});
  const TensorHandle p_out = bench.put({2, 2}, DType::f32, {7});
  const TensorHandle l_out = bench.put({2}, DType::f32, {7});
  bench.launch([=](TlContext& tl) {
    const TensorHandle scores = tl.load(s), old_max = tl.load(m);
    const TensorHandle new_max = tl.maximum(old_max, tl.max(scores));
    const TensorHandle correction = tl.exp_diff(old_max, new_max);
    const TensorHandle p = tl.exp_diff(scores, new_max);
    tl.store(p_out, p);
    tl.store(l_out, tl.fma(tl.load(l), correction, tl.sum(p)));
  });
  simulate();
  require_close(bench.read(p_out), {std::exp(-2.0), 1, 1, 1}, 1e-7, "P");
  require_close(bench.read(l_out), {std::exp(-1.0) + std::exp(-2.0) + 1, 6}, 1e-7, "l");
}

BOOST_AUTO_TEST_SUITE_END()
