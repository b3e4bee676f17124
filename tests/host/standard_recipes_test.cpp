// SPDX-License-Identifier: Apache-2.0
//
// What the recipes that come with PETAL lower to, with their bytes by SPEC 1.1: an op takes 4 bytes, 8 for
// each operand and for its out, and 4 for each scalar; the header 6, and 8 for each rw_handle.
#include <boost/test/unit_test.hpp>

#include "host/recording_sink.hpp"
#include "petal/host/recipe_table.hpp"

using namespace petal;
using namespace petal::test;

namespace {

/// M = 4 rows of K = 16, and a GEMM's B [16, 8] in HBM.
struct RecipeFixture : Bench {
  RecipeFixture() {
    x = tl.zeros({4, 16}, DType::f16);
    weight = tl.zeros({16}, DType::f16);
    bias = tl.zeros({1, 16}, DType::f16);
    b = tl.ref(0x1000, {16, 8}, DType::f16);
  }

  CompositeRequest gemm_after(const CompositeEntry& entry) const {
    CompositeRequest request;
    request.prologue = {entry};
    request.b = b;
    return request;
  }
  CompositeRequest gemm_before(const CompositeEntry& entry) const {
    CompositeRequest request;
    request.a = x;
    request.b = b;
    request.epilogue = {entry};
    return request;
  }
  CompositeEntry rmsnorm() const { return CompositeEntry("rmsnorm_linear", {{"x", x}, {"weight", weight}}); }

  const CompositeCmd& last() const { return std::get<CompositeCmd>(*sink.issued.back().slice.command); }
  std::uint64_t last_bytes() const { return sink.issued.back().slice.logical_bytes.count(); }
  std::string last_ops() const {
    std::string names;
    for (const OpSpec& op : last().ops) names += (names.empty() ? "" : " ") + std::string(name_of(op.kind));
    return names;
  }

  TensorHandle x, weight, bias, b;
};

void require_once_before_the_gemm(const CompositeCmd& composite) {
  for (const OpSpec& op : composite.ops) BOOST_TEST((op.scope == Scope::kernel));
  BOOST_TEST((composite.ops.back().kind == Opcode::gemm));
}

void require_on_output_tiles(const CompositeCmd& composite) {
  const OpSpec& gemm = composite.ops.front();
  for (std::size_t index = 1; index < composite.ops.size(); ++index) {
    BOOST_TEST((composite.ops[index].scope == Scope::output_tile));
    BOOST_TEST(composite.ops[index].operands[0].same_tensor(*gemm.out));
    BOOST_TEST(composite.ops[index].out->same_tensor(*gemm.out));
  }
}

float scalar_of(const OpSpec& op) {
  return std::get<float>(op.extras.at(0));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(standard_recipes)

// mul 28 + rsum 24 + scale 24 + fill 16 + add 28 + rsqrt 20 + mul_bcast 32 + mul 28 + gemm 40 = 240; header
// 14.
BOOST_AUTO_TEST_CASE(rmsnorm_linear_lowers_to_eight_ops_and_the_gemm) {
  RecipeFixture f;
  f.tl.composite(f.gemm_after(f.rmsnorm()));
  BOOST_TEST(f.last_ops() == "mul rsum scale fill add rsqrt mul_bcast mul gemm");
  BOOST_TEST(f.last_bytes() == 254U);
  require_once_before_the_gemm(f.last());
  const std::vector<OpSpec>& ops = f.last().ops;
  BOOST_TEST(scalar_of(ops[2]) == 1.0F / 16);
  BOOST_TEST(scalar_of(ops[3]) == 1e-5F);
  BOOST_TEST(ops[7].operands[1].same_tensor(f.weight));
  const TensorHandle& y = ops[8].operands[0];
  BOOST_TEST(y.same_tensor(*ops[7].out));
  BOOST_TEST((y.dtype == DType::f16));
  // The sums of squares are f32 whatever x is, one a row.
  BOOST_TEST((ops[0].out->dtype == DType::f32));
  BOOST_TEST((ops[1].out->dtype == DType::f32));
  BOOST_TEST((ops[1].out->shape == Dims{4, 1}));
  // Nothing of the kernel's is written but the result.
  BOOST_TEST(f.last().rw_handles.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_kernel_may_choose_the_epsilon) {
  RecipeFixture f;
  CompositeEntry entry = f.rmsnorm();
  entry.scalars = {{"eps", 0.25F}};
  f.tl.composite(f.gemm_after(entry));
  BOOST_TEST(scalar_of(f.last().ops[3]) == 0.25F);
}

// rsum 24 + scale 24 + sub 28 + mul 28 + rsum 24 + scale 24 + fill 16 + add 28 + rsqrt 20 + mul_bcast 32 +
// fma 36 + gemm 40 = 324; header 14.
BOOST_AUTO_TEST_CASE(layernorm_linear_lowers_to_eleven_ops_and_the_gemm) {
  RecipeFixture f;
  f.tl.composite(
      f.gemm_after(CompositeEntry("layernorm_linear", {{"x", f.x}, {"weight", f.weight}, {"bias", f.bias}})));
  BOOST_TEST(f.last_ops() == "rsum scale sub mul rsum scale fill add rsqrt mul_bcast fma gemm");
  BOOST_TEST(f.last_bytes() == 338U);
  require_once_before_the_gemm(f.last());
  const std::vector<OpSpec>& ops = f.last().ops;
  BOOST_TEST(scalar_of(ops[1]) == 1.0F / 16);
  BOOST_TEST(scalar_of(ops[5]) == 1.0F / 16);
  BOOST_TEST(ops[10].operands[2].same_tensor(f.bias));
}

// rmax 24 + exp_diff 32 + rsum 24 + clamp_min 24 + div_bcast 32 + gemm 40 = 176; header 14.
BOOST_AUTO_TEST_CASE(softmax_lowers_to_five_ops_and_feeds_a_gemm) {
  RecipeFixture f;
  f.tl.composite(f.gemm_after(CompositeEntry("softmax", {{"x", f.x}})));
  BOOST_TEST(f.last_ops() == "rmax exp_diff rsum clamp_min div_bcast gemm");
  BOOST_TEST(f.last_bytes() == 190U);
  require_once_before_the_gemm(f.last());
  // The weights are f32 until they are divided: f16 is rounded to once.
  BOOST_TEST((f.last().ops[1].out->dtype == DType::f32));
  BOOST_TEST((f.last().ops[4].out->dtype == DType::f16));
}

// Without a head the primary out is the result: 136 of ops, header 14.
BOOST_AUTO_TEST_CASE(softmax_alone_gives_its_primary_out) {
  RecipeFixture f;
  CompositeRequest request;
  request.op = "math";
  request.prologue = {CompositeEntry("softmax", {{"x", f.x}})};
  request.out = f.tl.empty({4, 16});
  const TensorHandle p = f.tl.composite(request);
  BOOST_TEST(p.same_tensor(*request.out));
  BOOST_TEST(f.last_bytes() == 150U);
}

// gemm 40 + add 28 + gelu 20; header 14.
BOOST_AUTO_TEST_CASE(linear_gelu_works_on_output_tiles) {
  RecipeFixture f;
  f.tl.composite(f.gemm_before(CompositeEntry("linear_gelu", {{"bias", f.tl.zeros({8})}})));
  BOOST_TEST(f.last_ops() == "gemm add gelu");
  BOOST_TEST(f.last_bytes() == 102U);
  require_on_output_tiles(f.last());
}

BOOST_AUTO_TEST_CASE(linear_silu_mul_works_on_output_tiles) {
  RecipeFixture f;
  f.tl.composite(f.gemm_before(CompositeEntry("linear_silu_mul", {{"other", f.tl.zeros({4, 8})}})));
  BOOST_TEST(f.last_ops() == "gemm silu mul");
  BOOST_TEST(f.last_bytes() == 102U);
  require_on_output_tiles(f.last());
}

// max_elem 28 + 2 exp_diff 28 + mul 28 + fma 36 + 2 mul_bcast 32 + add 28 + copy 20 = 260; header 6 + 3 * 8.
BOOST_AUTO_TEST_CASE(softmax_combine_lowers_to_nine_ops) {
  RecipeFixture f;
  const TensorHandle m = f.tl.zeros({4}), l = f.tl.zeros({4}), o = f.tl.zeros({4, 16});
  CompositeRequest request;
  request.op = "math";
  request.prologue = {CompositeEntry("softmax_combine", {{"m_part", f.tl.zeros({4}), Access::read},
                                                         {"l_part", f.tl.zeros({4}), Access::read},
                                                         {"O_part", f.tl.zeros({4, 16}), Access::read},
                                                         {"m", m},
                                                         {"l", l},
                                                         {"O", o}})};
  f.tl.composite(request);
  BOOST_TEST(f.last_ops() == "max_elem exp_diff exp_diff mul fma mul_bcast mul_bcast add copy");
  BOOST_TEST(f.last_bytes() == 290U);
  BOOST_REQUIRE(f.last().rw_handles.size() == 3U);
  BOOST_TEST(f.last().rw_handles[0].same_tensor(m));
  BOOST_TEST(f.last().rw_handles[1].same_tensor(l));
  BOOST_TEST(f.last().rw_handles[2].same_tensor(o));
}

// rmsnorm of x [4, 16] f16: work 4 * 16 * 4, sum and factor 4 * 4 each, y 4 * 16 * 2.
BOOST_AUTO_TEST_CASE(scratch_counts_each_tensor_by_its_own_shape_and_dtype) {
  const RecipeTable table = RecipeTable::standard();
  const TensorHandle x = dense_tensor(Space::tcm, 0, {4, 16}, DType::f16);
  const TensorHandle weight = dense_tensor(Space::tcm, 0, {16}, DType::f16);
  BOOST_TEST(table.find("rmsnorm_linear")->internal_scratch_bytes({x, weight}).count() == 256U + 32 + 128);
}

BOOST_AUTO_TEST_CASE(scalars_that_a_recipe_does_not_take) {
  RecipeFixture f;
  const auto refused = [&](const std::vector<NamedScalar>& scalars, const std::string& recipe) {
    CompositeEntry entry = recipe == "softmax" ? CompositeEntry("softmax", {{"x", f.x}}) : f.rmsnorm();
    entry.scalars = scalars;
    return emit_error_of(f, [&] { f.tl.composite(f.gemm_after(entry)); });
  };
  BOOST_TEST(refused({{"epsilon", 1.0F}}, "rmsnorm_linear").operand() == "epsilon");
  BOOST_TEST(mentions(refused({{"epsilon", 1.0F}}, "rmsnorm_linear"), "it takes eps"));
  BOOST_TEST(mentions(refused({{"eps", std::int32_t{1}}}, "rmsnorm_linear"), "give a float"));
  BOOST_TEST(mentions(refused({{"eps", 1.0F}, {"eps", 2.0F}}, "rmsnorm_linear"), "given twice"));
  BOOST_TEST(mentions(refused({{"eps", 1.0F}}, "softmax"), "takes no scalars"));
}

BOOST_AUTO_TEST_CASE(operands_of_a_wrong_shape_are_named) {
  RecipeFixture f;
  const auto refused = [&](const CompositeRequest& request) {
    return emit_error_of(f, [&] { f.tl.composite(request); }).operand();
  };
  const TensorHandle wrong = f.tl.zeros({15}, DType::f16);
  BOOST_TEST(refused(f.gemm_after(CompositeEntry("rmsnorm_linear", {{"x", f.x}, {"weight", wrong}}))) ==
             "weight");
  BOOST_TEST(refused(f.gemm_after(CompositeEntry(
                 "layernorm_linear", {{"x", f.x}, {"weight", f.weight}, {"bias", wrong}}))) == "bias");
  BOOST_TEST(refused(f.gemm_before(CompositeEntry("linear_gelu", {{"bias", wrong}}))) == "bias");
  BOOST_TEST(refused(f.gemm_before(CompositeEntry("linear_silu_mul", {{"other", wrong}}))) == "other");
}

BOOST_AUTO_TEST_CASE(each_stands_where_its_alignment_allows) {
  RecipeFixture f;
  const auto refused = [&](const CompositeRequest& request) {
    return emit_error_of(f, [&] { f.tl.composite(request); }).operand();
  };
  BOOST_TEST(refused(f.gemm_before(f.rmsnorm())) == "epilogue");
  BOOST_TEST(refused(f.gemm_after(CompositeEntry("linear_gelu", {{"bias", f.weight}}))) == "prologue");
}

BOOST_AUTO_TEST_SUITE_END()
