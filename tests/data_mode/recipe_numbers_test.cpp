// SPDX-License-Identifier: Apache-2.0
//
// What composites with recipes compute in a run, against the formulas of the recipes in double precision.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "support/data_bench.hpp"
#include "support/event_log.hpp"

using namespace petal;
using namespace petal::test;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// M = 40 and N = 40 are two ragged tiles each of 32 x 32, K = 72 is two of 64.
constexpr std::uint64_t kRows = 40, kInner = 72, kColumns = 40;

/// Values between -1 and 1 without a pattern that a shifted index would reproduce.
Values waves(std::uint64_t count, double frequency) {
  Values values(count);
  for (std::uint64_t index = 0; index < count; ++index)
    values[index] = std::sin(frequency * static_cast<double>(index + 1));
  return values;
}

/// `function(row, columns)` changes each row of `values` in place.
template <typename Function>
Values by_rows(Values values, std::uint64_t columns, Function function) {
  for (std::size_t row = 0; row < values.size(); row += columns) function(values.data() + row, columns);
  return values;
}

Values normalised(const Values& x, std::uint64_t columns, bool centre, double eps) {
  return by_rows(x, columns, [&](double* row, std::uint64_t count) {
    const auto size = static_cast<double>(count);
    double mean = 0.0, square = 0.0;
    for (std::uint64_t i = 0; centre && i < count; ++i) mean += row[i] / size;
    for (std::uint64_t i = 0; i < count; ++i) square += (row[i] - mean) * (row[i] - mean) / size;
    for (std::uint64_t i = 0; i < count; ++i) row[i] = (row[i] - mean) / std::sqrt(square + eps);
  });
}

Values softmax_of(const Values& x, std::uint64_t columns) {
  return by_rows(x, columns, [](double* row, std::uint64_t count) {
    const double maximum = *std::max_element(row, row + count);
    double sum = 0.0;
    for (std::uint64_t i = 0; i < count; ++i)
      sum += row[i] = maximum == -kInfinity ? 0.0 : std::exp(row[i] - maximum);
    for (std::uint64_t i = 0; i < count; ++i) row[i] = sum == 0.0 ? 0.0 : row[i] / sum;
  });
}

double gelu(double x) {
  return 0.5 * x * std::erfc(-x / std::sqrt(2.0));
}

double silu(double x) {
  return x / (1.0 + std::exp(-x));
}

/// x [40, 72], B [72, 40], and room for the product.
struct RecipeBench : DataBench {
  explicit RecipeBench(DType dtype) {
    x_values = rounded(waves(kRows * kInner, 0.7), dtype);
    b_values = rounded(waves(kInner * kColumns, 1.3), dtype);
    weight_values = rounded(waves(kInner, 0.3), dtype);
    bias_values = rounded(waves(kInner, 2.1), dtype);
    x = put({kRows, kInner}, dtype, x_values);
    b = put({kInner, kColumns}, dtype, b_values);
    weight = put({kInner}, dtype, weight_values);
    bias = put({1, kInner}, dtype, bias_values);
    c = put({kRows, kColumns}, DType::f32, {-7.0});
    platform().attach(log);
  }

  /// C = recipe(x, ...) . B
  void launch_before_gemm(const std::string& recipe, bool with_bias = false, float eps = 1e-5F) {
    launch([=, here = this](TlContext& tl) {
      CompositeEntry entry(recipe, {{"x", tl.load(here->x)}});
      if (recipe != "softmax") {
        entry.operands.emplace_back("weight", tl.load(here->weight));
        entry.scalars = {{"eps", eps}};
      }
      if (with_bias) entry.operands.emplace_back("bias", tl.load(here->bias));
      CompositeRequest request;
      request.prologue = {entry};
      request.b = here->b;
      request.out = here->c;
      tl.composite(request);
    });
  }

  Values x_values, b_values, weight_values, bias_values;
  TensorHandle x, b, weight, bias, c;
  EventLog log;
};

Values scaled_and_shifted(Values values, const Values& weight, const Values& bias) {
  for (std::size_t index = 0; index < values.size(); ++index) {
    values[index] *= weight[index % kInner];
    if (!bias.empty()) values[index] += bias[index % kInner];
  }
  return values;
}

struct State {
  TensorHandle m, l, o;
};

/// Merges states given as m, l, O (one row, one column) by softmax_combine and reads the result.
struct CombineBench : DataBench {
  explicit CombineBench(const std::vector<Values>& parts) {
    for (const Values& part : parts)
      states.push_back({put({1}, DType::f32, {part[0]}), put({1}, DType::f32, {part[1]}),
                        put({1, 1}, DType::f32, {part[2]})});
    result = {put({1}, DType::f32, {7.0}), put({1}, DType::f32, {7.0}), put({1, 1}, DType::f32, {7.0})};
    launch([this](TlContext& tl) {
      const State sum{tl.load(states[0].m), tl.load(states[0].l), tl.load(states[0].o)};
      for (std::size_t index = 1; index < states.size(); ++index) {
        CompositeRequest request;
        request.op = "math";
        request.prologue = {CompositeEntry("softmax_combine", {{"m_part", tl.load(states[index].m)},
                                                               {"l_part", tl.load(states[index].l)},
                                                               {"O_part", tl.load(states[index].o)},
                                                               {"m", sum.m},
                                                               {"l", sum.l},
                                                               {"O", sum.o}})};
        tl.composite(request);
      }
      tl.store(result.m, sum.m);
      tl.store(result.l, sum.l);
      tl.store(result.o, sum.o);
    });
  }
  Values merged() const { return {read_one(result.m), read_one(result.l), read_one(result.o)}; }

  std::vector<State> states;
  State result;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(recipe_numbers)

BOOST_AUTO_TEST_CASE(rmsnorm_linear_is_the_norm_then_the_linear_layer) {
  RecipeBench f32(DType::f32), f16(DType::f16);
  f32.launch_before_gemm("rmsnorm_linear");
  f16.launch_before_gemm("rmsnorm_linear", false, 0.5F);
  simulate();
  const auto expected = [](const RecipeBench& bench, double eps) {
    const Values y =
        scaled_and_shifted(normalised(bench.x_values, kInner, false, eps), bench.weight_values, {});
    return product(y, bench.b_values, kRows, kInner, kColumns);
  };
  require_close(f32.read(f32.c), expected(f32, 1e-5), 1e-5, "f32");
  require_close(f16.read(f16.c), expected(f16, 0.5), 2e-3, "f16, eps 0.5");
}

// The squares of 300 leave f16's range, and their sum more so: the norm is computed in f32.
BOOST_AUTO_TEST_CASE(rmsnorm_of_large_halves_does_not_overflow) {
  DataBench bench;
  const TensorHandle x = bench.put({2, 64}, DType::f16, {300.0});
  const TensorHandle weight = bench.put({64}, DType::f16, {1.0});
  const TensorHandle y = bench.put({2, 64}, DType::f16, {7.0});
  bench.launch([=](TlContext& tl) {
    CompositeRequest request;
    request.op = "math";
    request.prologue = {CompositeEntry("rmsnorm_linear", {{"x", tl.load(x)}, {"weight", tl.load(weight)}})};
    tl.store(y, tl.composite(request));
  });
  simulate();
  require_close(bench.read(y), Values(128, 1.0), 1e-3, "y");
}

BOOST_AUTO_TEST_CASE(layernorm_linear_is_the_norm_then_the_linear_layer) {
  RecipeBench f32(DType::f32), f16(DType::f16);
  f32.launch_before_gemm("layernorm_linear", true);
  f16.launch_before_gemm("layernorm_linear", true, 0.5F);
  simulate();
  const auto expected = [](const RecipeBench& bench, double eps) {
    const Values y = scaled_and_shifted(normalised(bench.x_values, kInner, true, eps), bench.weight_values,
                                        bench.bias_values);
    return product(y, bench.b_values, kRows, kInner, kColumns);
  };
  require_close(f32.read(f32.c), expected(f32, 1e-5), 1e-5, "f32");
  require_close(f16.read(f16.c), expected(f16, 0.5), 2e-3, "f16, eps 0.5");
}

// Rows of mean 1000 and deviation 1: the variance as E[x^2] - E[x]^2 would lose it in f32.
BOOST_AUTO_TEST_CASE(layernorm_of_a_large_mean_keeps_its_digits) {
  Values x(64);
  for (std::size_t index = 0; index < x.size(); ++index) x[index] = index % 2 == 0 ? 999.0 : 1001.0;
  DataBench bench;
  const TensorHandle source = bench.put({1, 64}, DType::f32, x);
  const TensorHandle one = bench.put({64}, DType::f32, {1.0});
  const TensorHandle zero = bench.put({64}, DType::f32, {0.0});
  const TensorHandle y = bench.put({1, 64}, DType::f32, {7.0});
  bench.launch([=](TlContext& tl) {
    CompositeRequest request;
    request.op = "math";
    request.prologue = {CompositeEntry(
        "layernorm_linear", {{"x", tl.load(source)}, {"weight", tl.load(one)}, {"bias", tl.load(zero)}})};
    tl.store(y, tl.composite(request));
  });
  simulate();
  const double value = 1.0 / std::sqrt(1.0 + 1e-5);
  for (std::size_t index = 0; index < x.size(); ++index)
    BOOST_TEST(std::abs(bench.read(y)[index] - (index % 2 == 0 ? -value : value)) < 1e-6);
}

BOOST_AUTO_TEST_CASE(softmax_is_one_shot_and_feeds_the_gemm) {
  RecipeBench f32(DType::f32), f16(DType::f16);
  f32.launch_before_gemm("softmax");
  f16.launch_before_gemm("softmax");
  simulate();
  for (const RecipeBench* bench : {&f32, &f16})
    require_close(bench->read(bench->c),
                  product(softmax_of(bench->x_values, kInner), bench->b_values, kRows, kInner, kColumns),
                  bench == &f32 ? 1e-5 : 2e-3, "C");
}

// Scores beyond e^88, a row of -inf, and one value that takes all the weight.
BOOST_AUTO_TEST_CASE(softmax_of_extreme_rows) {
  const Values x = {1000,       1000,       1000, 1000,       -kInfinity, -kInfinity,
                    -kInfinity, -kInfinity, 0,    -kInfinity, 200,        0};
  DataBench bench;
  const TensorHandle source = bench.put({3, 4}, DType::f32, x);
  const TensorHandle p = bench.put({3, 4}, DType::f32, {7.0});
  bench.launch([=](TlContext& tl) {
    CompositeRequest request;
    request.op = "math";
    request.prologue = {CompositeEntry("softmax", {{"x", tl.load(source)}})};
    tl.store(p, tl.composite(request));
  });
  simulate();
  BOOST_TEST((bench.read(p) == Values{0.25, 0.25, 0.25, 0.25, 0, 0, 0, 0, 0, 0, 1, 0}));
}

BOOST_AUTO_TEST_CASE(linear_gelu_adds_the_bias_of_each_column_first) {
  RecipeBench bench(DType::f16);
  const Values bias = rounded(waves(kColumns, 0.9), DType::f16);
  const TensorHandle stored_bias = bench.put({kColumns}, DType::f16, bias);
  bench.launch([&bench, stored_bias](TlContext& tl) {
    CompositeRequest request;
    request.a = bench.x;
    request.b = bench.b;
    request.out = bench.c;
    request.epilogue = {CompositeEntry("linear_gelu", {{"bias", tl.load(stored_bias)}})};
    tl.composite(request);
  });
  simulate();
  Values expected = product(bench.x_values, bench.b_values, kRows, kInner, kColumns);
  for (std::size_t index = 0; index < expected.size(); ++index)
    expected[index] = gelu(expected[index] + bias[index % kColumns]);
  require_close(bench.read(bench.c), expected, 1e-5, "C");
}

// tile_aligned: each op of the recipe runs once on each output tile, after that tile's last K tile and before
// its STORE, on the tile's own elements: 32 x 32, 32 x 8, 8 x 32, 8 x 8.
BOOST_AUTO_TEST_CASE(linear_silu_mul_gates_each_output_tile_before_it_is_stored) {
  RecipeBench bench(DType::f16);
  const Values other = rounded(waves(kRows * kColumns, 0.4), DType::f32);
  const TensorHandle up = bench.put({kRows, kColumns}, DType::f32, other);
  bench.launch([&bench, up](TlContext& tl) {
    CompositeRequest request;
    request.a = bench.x;
    request.b = bench.b;
    request.out = bench.c;
    request.epilogue = {CompositeEntry("linear_silu_mul", {{"other", tl.load(up)}})};
    tl.composite(request);
  });
  simulate();
  Values expected = product(bench.x_values, bench.b_values, kRows, kInner, kColumns);
  for (std::size_t index = 0; index < expected.size(); ++index)
    expected[index] = silu(expected[index]) * other[index];
  require_close(bench.read(bench.c), expected, 1e-5, "C");

  const CompletionId composite = 2;
  const std::vector<LoggedStage> maths = bench.log.stages_of(composite, StageKind::math);
  const std::vector<LoggedStage> gemms = bench.log.stages_of(composite, StageKind::gemm);
  const std::vector<LoggedStage> stores = bench.log.stages_of(composite, StageKind::store);
  const std::uint64_t elements[] = {1024, 256, 256, 64};
  BOOST_TEST_REQUIRE(maths.size() == 8U);
  BOOST_TEST_REQUIRE(gemms.size() == 8U);
  BOOST_TEST_REQUIRE(stores.size() == 4U);
  for (std::size_t tile = 0; tile < 4; ++tile) {
    BOOST_TEST(maths[2 * tile].op == "silu");
    BOOST_TEST(maths[2 * tile + 1].op == "mul");
    BOOST_TEST(maths[2 * tile].elements == elements[tile]);
    BOOST_TEST(maths[2 * tile + 1].elements == elements[tile]);
    BOOST_TEST(maths[2 * tile].start_ps >= gemms[2 * tile + 1].end_ps);
    BOOST_TEST(stores[tile].start_ps >= maths[2 * tile + 1].end_ps);
  }
}

// m, l and O (not normalised). Empty parts first, last, and alone; 3 keys of score 0 and V = 1 with 1 key of
// score 0 and V = 5 have the mean 2; parts of different maxima are weighted by e^m.
BOOST_AUTO_TEST_CASE(softmax_combine_merges_parts_and_empty_parts) {
  const Values empty = {-kInfinity, 0, 0};
  CombineBench nothing({empty, empty});
  CombineBench first_empty({empty, {0, 1, 5}});
  CombineBench last_empty({{0, 1, 5}, empty});
  CombineBench mean({{0, 3, 3}, {0, 1, 5}});
  CombineBench apart({{-2, 1, 1}, {3, 2, -4}, empty, {1, 1, 10}});
  simulate();
  BOOST_TEST((nothing.merged() == empty));
  BOOST_TEST((first_empty.merged() == Values{0, 1, 5}));
  BOOST_TEST((last_empty.merged() == Values{0, 1, 5}));
  BOOST_TEST((mean.merged() == Values{0, 4, 8}));
  const double low = std::exp(-5.0), middle = std::exp(-2.0);
  require_close(apart.merged(), {3, 2 + low + middle, -4 + low + 10 * middle}, 1e-6, "m, l, O");
}

// A recipe that the library has never heard of: the table is all that knows it, and the run computes it. Its
// parameter, its mean over columns and its one-a-row temporary are data as well.
BOOST_AUTO_TEST_CASE(a_recipe_added_from_outside_runs) {
  RecipeDescriptor recipe;
  recipe.name = "mean_shift_linear";
  recipe.description = "hands on x - gain * mean(x)";
  recipe.operands = {{"x", Access::read}};
  recipe.parameters = {{"gain", 1.0F}};
  recipe.primary_out = PrimaryOutSpec{{"y", "x", "x"}, "identity"};
  recipe.temporaries = {{"mean", "x", DType::f32, RecipeAxes::one_a_row}};
  recipe.engine_seq = {{Opcode::rsum, {"x"}, "mean", {std::int32_t{-1}}},
                       {Opcode::scale, {"mean"}, "mean", {ReciprocalOfColumns{"x"}}},
                       {Opcode::scale, {"mean"}, "mean", {ParameterValue{"gain"}}},
                       {Opcode::sub, {"x", "mean"}, "y", {}}};
  RecipeTable table = RecipeTable::standard();
  table.add(recipe);
  TlOptions options;
  options.recipes = std::make_shared<const RecipeTable>(table);

  RecipeBench bench(DType::f32);
  bench.launch_program([&bench, options](CommandSink& sink) {
    TlContext tl(sink, options);
    CompositeEntry entry("mean_shift_linear", {{"x", tl.load(bench.x)}});
    entry.scalars = {{"gain", 2.0F}};
    CompositeRequest request;
    request.prologue = {entry};
    request.b = bench.b;
    request.out = bench.c;
    tl.composite(request);
  });
  simulate();
  const Values shifted = by_rows(bench.x_values, kInner, [](double* row, std::uint64_t count) {
    double mean = 0.0;
    for (std::uint64_t i = 0; i < count; ++i) mean += row[i] / static_cast<double>(count);
    for (std::uint64_t i = 0; i < count; ++i) row[i] -= 2.0 * mean;
  });
  require_close(bench.read(bench.c), product(shifted, bench.b_values, kRows, kInner, kColumns), 1e-5, "C");
}

BOOST_AUTO_TEST_SUITE_END()
