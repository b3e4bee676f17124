// SPDX-License-Identifier: Apache-2.0
//
// Every composite that must be refused; `emit_error_of` sees to it that nothing of it was issued.
#include <boost/test/unit_test.hpp>

#include "host/decode_fixture.hpp"

using namespace petal;
using namespace petal::test;

namespace {

struct Fixture : DecodeFixture {
  EmitError refused(const CompositeRequest& request) {
    return emit_error_of(*this, [&] { tl.composite(request); });
  }
  /// The second composite with its recipe operand `name` replaced.
  EmitError refused_with(const std::string& name, const NamedOperand& operand) {
    CompositeRequest request = second_composite();
    for (NamedOperand& given : request.prologue[0].operands)
      if (given.name == name) given = operand;
    return refused(request);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(composite_errors, Fixture)

BOOST_AUTO_TEST_CASE(a_second_gemm) {
  CompositeRequest request = plain_gemm();
  request.epilogue = {CompositeEntry("gemm", {{"a", q}, {"b", v}})};
  const EmitError after = refused(request);
  BOOST_TEST(after.op() == "composite");
  BOOST_TEST(mentions(after, "at most one GEMM"));
  request.epilogue.clear();
  request.prologue = {CompositeEntry("gemm", {{"a", q}, {"b", v}})};
  BOOST_TEST(mentions(refused(request), "at most one GEMM"));
  CompositeRequest math;
  math.op = "math";
  math.math_op = "gemm";
  math.a = q;
  BOOST_TEST(mentions(refused(math), "at most one GEMM"));
}

BOOST_AUTO_TEST_CASE(a_beside_a_primary_out) {
  CompositeRequest request = second_composite();
  request.a = s;
  const EmitError error = refused(request);
  BOOST_TEST(error.operand() == "a");
  BOOST_TEST(mentions(error, "softmax_merge"));
  BOOST_TEST(mentions(error, "leave a off"));
}

BOOST_AUTO_TEST_CASE(no_a_and_no_recipe) {
  CompositeRequest request = plain_gemm();
  request.a.reset();
  BOOST_TEST(refused(request).operand() == "a");
  request = plain_gemm();
  request.b.reset();
  BOOST_TEST(refused(request).operand() == "b");
}

BOOST_AUTO_TEST_CASE(recipe_operand_missing) {
  CompositeRequest request = second_composite();
  request.prologue[0].operands.erase(request.prologue[0].operands.begin() + 2);
  const EmitError error = refused(request);
  BOOST_TEST(error.operand() == "l");
  BOOST_TEST(mentions(error, "s, m, l, O"));
}

BOOST_AUTO_TEST_CASE(recipe_operand_unknown_or_twice) {
  CompositeRequest request = second_composite();
  request.prologue[0].operands.emplace_back("V", v);
  BOOST_TEST(refused(request).operand() == "V");
  request = second_composite();
  request.prologue[0].operands.emplace_back("m", m);
  BOOST_TEST(mentions(refused(request), "twice"));
}

BOOST_AUTO_TEST_CASE(recipe_operand_read_only_where_it_is_written) {
  const EmitError error = refused_with("m", {"m", m, Access::read});
  BOOST_TEST(error.operand() == "m");
  BOOST_TEST(mentions(error, "read-only"));
  // The recipe only reads s, so there it is allowed.
  CompositeRequest request = second_composite();
  request.prologue[0].operands[0].access = Access::read;
  BOOST_CHECK_NO_THROW(tl.composite(request));
}

BOOST_AUTO_TEST_CASE(recipe_operand_in_hbm) {
  const EmitError error = refused_with("s", {"s", tl.ref(0x8000, {4, 8}, DType::f32)});
  BOOST_TEST(error.operand() == "s");
  BOOST_TEST(mentions(error, "HBM"));
  BOOST_TEST(mentions(error, "load()"));
}

BOOST_AUTO_TEST_CASE(recipe_operand_of_a_wrong_shape_is_named) {
  BOOST_TEST(refused_with("m", {"m", tl.zeros({5})}).operand() == "m");
  BOOST_TEST(refused_with("l", {"l", tl.zeros({5})}).operand() == "l");
  BOOST_TEST(refused_with("O", {"O", tl.zeros({5, 16})}).operand() == "O");
}

BOOST_AUTO_TEST_CASE(recipe_operand_of_a_wrong_dtype) {
  BOOST_TEST(refused_with("l", {"l", tl.zeros({4}, DType::i32)}).operand() == "l");
}

BOOST_AUTO_TEST_CASE(recipe_operands_that_overlap) {
  BOOST_TEST(refused_with("l", {"l", m}).operand() == "m");
}

BOOST_AUTO_TEST_CASE(two_recipes_with_a_primary_out) {
  CompositeRequest request = second_composite();
  request.prologue.push_back(merge());
  BOOST_TEST(mentions(refused(request), "both have a primary out"));
}

BOOST_AUTO_TEST_CASE(single_shot_recipe_in_the_epilogue) {
  CompositeRequest request = plain_gemm();
  request.epilogue = {merge()};
  const EmitError error = refused(request);
  BOOST_TEST(error.operand() == "epilogue");
  BOOST_TEST(mentions(error, "prologue"));
}

BOOST_AUTO_TEST_CASE(tile_scope_before_the_head) {
  CompositeRequest request = plain_gemm();
  CompositeEntry relu("relu", {{"src", q}});
  relu.scope = Scope::output_tile;
  request.prologue = {relu};
  BOOST_TEST(refused(request).operand() == "prologue");
  request = second_composite();
  request.prologue[0].scope = Scope::k_tile;
  BOOST_TEST(refused(request).operand() == "prologue");
}

BOOST_AUTO_TEST_CASE(tile_scope_without_a_gemm) {
  CompositeRequest request;
  request.op = "math";
  request.math_op = "relu";
  request.a = s;
  request.epilogue = {CompositeEntry("neg")};
  BOOST_TEST(mentions(refused(request), "without a GEMM"));
}

BOOST_AUTO_TEST_CASE(tile_op_after_a_kernel_op) {
  CompositeRequest request = plain_gemm();
  CompositeEntry neg("neg");
  neg.scope = Scope::kernel;
  request.epilogue = {neg, CompositeEntry("relu")};
  BOOST_TEST(mentions(refused(request), "put tile ops before"));
}

BOOST_AUTO_TEST_CASE(kernel_op_after_a_gemm_whose_out_is_in_hbm) {
  CompositeRequest request = plain_gemm();
  request.out_ptr = 0x9000;
  CompositeEntry neg("neg");
  neg.scope = Scope::kernel;
  request.epilogue = {neg};
  const EmitError error = refused(request);
  BOOST_TEST(error.operand() == "out");
  BOOST_TEST(mentions(error, "neg"));
}

BOOST_AUTO_TEST_CASE(epilogue_operand_in_hbm) {
  CompositeRequest request = plain_gemm();
  request.epilogue = {CompositeEntry("add", {{"other", tl.ref(0x8000, {4, 8}, DType::f32)}})};
  const EmitError error = refused(request);
  BOOST_TEST(error.operand() == "other");
  BOOST_TEST(mentions(error, "load()"));
}

BOOST_AUTO_TEST_CASE(epilogue_operand_missing_unknown_or_of_a_wrong_shape) {
  CompositeRequest request = plain_gemm();
  request.epilogue = {CompositeEntry("add")};
  BOOST_TEST(refused(request).operand() == "other");
  request.epilogue = {CompositeEntry("add", {{"bias", s}})};
  BOOST_TEST(refused(request).operand() == "bias");
  request.epilogue = {CompositeEntry("add", {{"other", o}})};
  BOOST_TEST(refused(request).operand() == "other");
}

BOOST_AUTO_TEST_CASE(epilogue_scalar_missing_unknown_or_of_a_wrong_type) {
  CompositeRequest request = plain_gemm();
  request.epilogue = {CompositeEntry("scale")};
  BOOST_TEST(refused(request).operand() == "factor");
  request.epilogue[0].scalars = {{"factor", 2.0F}, {"speed", 1.0F}};
  BOOST_TEST(refused(request).operand() == "speed");
  request.epilogue[0].scalars = {{"factor", std::int32_t{2}}};
  BOOST_TEST(refused(request).operand() == "factor");
}

BOOST_AUTO_TEST_CASE(reduction_on_an_accumulator_tile) {
  CompositeRequest request = plain_gemm();
  request.epilogue = {CompositeEntry("rmax")};
  BOOST_TEST(mentions(refused(request), "accumulator"));
}

BOOST_AUTO_TEST_CASE(accumulator_named_as_something_else) {
  CompositeRequest request = plain_gemm();
  request.epilogue = {CompositeEntry("add", {{"acc", s}, {"other", s}})};
  BOOST_TEST(refused(request).operand() == "acc");
}

BOOST_AUTO_TEST_CASE(names_that_nothing_has) {
  CompositeRequest request = plain_gemm();
  request.epilogue = {CompositeEntry("softplus")};
  BOOST_TEST(mentions(refused(request), "softplus"));
  request = plain_gemm();
  request.op = "conv";
  BOOST_TEST(refused(request).operand() == "op");
}

BOOST_AUTO_TEST_CASE(fields_that_the_head_would_ignore) {
  CompositeRequest request = plain_gemm();
  request.c = s;
  BOOST_TEST(refused(request).operand() == "c");
  request = plain_gemm();
  request.math_op = "relu";
  BOOST_TEST(refused(request).operand() == "math_op");
  CompositeRequest math;
  math.op = "math";
  math.math_op = "relu";
  math.a = s;
  math.b = s;
  BOOST_TEST(refused(math).operand() == "b");
  math.b.reset();
  math.scale = 2.0F;
  BOOST_TEST(refused(math).operand() == "scale");
}

BOOST_AUTO_TEST_CASE(out_in_two_ways) {
  CompositeRequest request = plain_gemm();
  request.out = s;
  request.out_ptr = 0x9000;
  BOOST_TEST(refused(request).operand() == "out_ptr");
  request.out_ptr.reset();
  request.out_dtype = DType::f32;
  BOOST_TEST(refused(request).operand() == "out_dtype");
}

BOOST_AUTO_TEST_CASE(shapes_that_do_not_multiply) {
  CompositeRequest request = plain_gemm();
  request.b = tl.ref(0x4000, {8, 16}, DType::f16);
  BOOST_TEST(refused(request).operand() == "b");
  request.b = tl.ref(0x4000, {16}, DType::f16);
  BOOST_TEST(refused(request).operand() == "b");
  request = plain_gemm();
  request.out = o;
  BOOST_TEST(refused(request).operand() == "out");
}

BOOST_AUTO_TEST_CASE(dtypes_that_do_not_multiply) {
  CompositeRequest request = plain_gemm();
  request.b = tl.ref(0x4000, {16, 8}, DType::i8);
  BOOST_TEST(refused(request).operand() == "b");
  request.b = tl.ref(0x4000, {16, 8}, DType::i32);
  BOOST_TEST(refused(request).operand() == "b");
  request = plain_gemm();
  request.out = tl.empty({4, 8}, DType::i32);
  BOOST_TEST(refused(request).operand() == "out");
}

BOOST_AUTO_TEST_CASE(operand_without_contiguous_runs) {
  CompositeRequest request = plain_gemm();
  request.b = tl.ref(0x4000, {16, 8}, DType::f16, {16, 2});
  BOOST_TEST(refused(request).operand() == "b");
}

BOOST_AUTO_TEST_CASE(out_that_overlaps_an_input_of_the_gemm) {
  const TensorHandle square = tl.zeros({16, 16});
  CompositeRequest request;
  request.a = square;
  request.b = tl.ref(0x4000, {16, 16}, DType::f32);
  request.out = square;
  BOOST_TEST(refused(request).operand() == "out");
  request.a = tl.ref(0x2000, {16, 16}, DType::f32);
  request.out = tl.ref(0x4000 + 1020, {16, 16}, DType::f32);  // the last element of b is out's first
  BOOST_TEST(refused(request).operand() == "out");
  request.out = tl.ref(0x4000 + 1024, {16, 16}, DType::f32);
  BOOST_CHECK_NO_THROW(tl.composite(request));
}

BOOST_AUTO_TEST_CASE(out_that_overlaps_an_epilogue_operand_partly) {
  const TensorHandle both = tl.zeros({5, 8});
  TensorHandle upper = both, lower = both;
  upper.shape[0] = 4;
  lower.shape[0] = 4;
  lower.address += 8 * 4;
  CompositeRequest request = plain_gemm();
  request.out = upper;
  request.epilogue = {CompositeEntry("add", {{"other", lower}})};
  BOOST_TEST(refused(request).operand() == "out");
  request.epilogue = {CompositeEntry("add", {{"other", upper}})};
  BOOST_CHECK_NO_THROW(tl.composite(request));
}

BOOST_AUTO_TEST_CASE(handle_whose_scratch_scope_ended) {
  TensorHandle stale;
  {
    const ScratchScope scope = tl.scratch_scope();
    stale = tl.zeros({4, 16}, DType::f16);
  }
  CompositeRequest request = plain_gemm();
  request.a = stale;
  BOOST_TEST(refused(request).operand() == "a");
  tl.empty({4, 16}, DType::f16);  // takes the same place
  const EmitError error = refused(request);
  BOOST_TEST(error.operand() == "a");
  BOOST_TEST(mentions(error, "scope ended"));
}

BOOST_AUTO_TEST_CASE(more_ops_than_a_count_of_one_byte) {
  CompositeRequest request = plain_gemm();
  request.epilogue.assign(255, CompositeEntry("relu"));
  TlOptions options;
  options.composite_cap = Bytes(100000);
  Bench wide(options);
  request.a = wide.tl.zeros({4, 16}, DType::f16);
  BOOST_TEST(mentions(emit_error_of(wide, [&] { wide.tl.composite(request); }), "256 ops"));
  request.epilogue.pop_back();
  BOOST_CHECK_NO_THROW(wide.tl.composite(request));
}

BOOST_AUTO_TEST_CASE(size_that_does_not_fit_in_an_i32) {
  CompositeRequest request;
  request.a = tl.ref(0, {std::uint64_t{1} << 31U, 1}, DType::f16);
  request.b = tl.ref(0, {1, 1}, DType::f16);
  request.out_ptr = std::uint64_t{1} << 40U;
  const EmitError error = refused(request);
  BOOST_TEST(error.operand() == "a");
  BOOST_TEST(mentions(error, "2147483648"));
}

BOOST_AUTO_TEST_CASE(scratch_that_runs_out) {
  CompositeRequest request;
  request.a = tl.ref(0, {1024, 16}, DType::f16);
  request.b = tl.ref(0x100000, {16, 1024}, DType::f16);
  const EmitError error = refused(request);  // 1024 * 1024 * 4 bytes of out in an arena of 1 MiB
  BOOST_TEST(mentions(error, "4194304"));
  BOOST_TEST(mentions(error, "1048576"));
}

BOOST_AUTO_TEST_CASE(group_beyond_the_cap) {
  TlOptions options;
  options.composite_cap = Bytes(64);
  DecodeFixture small(options);
  const EmitError error = emit_error_of(small, [&] { small.tl.composite(small.second_composite()); });
  BOOST_TEST(mentions(error, "68"));
  BOOST_TEST(mentions(error, "64"));
  BOOST_TEST(mentions(error, "pe_cost_model.max_composite_logical_bytes"));
}

BOOST_AUTO_TEST_SUITE_END()
