// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>

#include "host/decode_fixture.hpp"
#include "petal/host/recipe_table.hpp"

using namespace petal;
using namespace petal::test;

namespace {

std::string op_names(const CompositeCmd& composite) {
  std::string names;
  for (const OpSpec& op : composite.ops) names += (names.empty() ? "" : " ") + std::string(name_of(op.kind));
  return names;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(composite_lowering)

BOOST_AUTO_TEST_CASE(softmax_merge_lowers_to_the_ten_ops_of_the_record) {
  DecodeFixture f;
  const TensorHandle result = f.tl.composite(f.second_composite());
  const auto& composite = f.sink.get<CompositeCmd>(f.issued_by_setup);

  BOOST_TEST(op_names(composite) == "rmax max_elem exp_diff exp_diff rsum fma mul_bcast copy gemm add");
  for (std::size_t index = 0; index < 9; ++index) BOOST_TEST((composite.ops[index].scope == Scope::kernel));
  BOOST_TEST((composite.ops[9].scope == Scope::output_tile));
  BOOST_TEST(result.same_tensor(f.o));
  BOOST_TEST(f.sink.issued.back().is_primitive == false);
}

BOOST_AUTO_TEST_CASE(softmax_merge_steps_read_and_write_what_the_table_says) {
  DecodeFixture f;
  f.tl.composite(f.second_composite());
  const std::vector<OpSpec>& ops = f.sink.get<CompositeCmd>(f.issued_by_setup).ops;
  const TensorHandle m_loc = *ops[0].out, m_new = *ops[1].out, corr = *ops[2].out, p = *ops[3].out,
                     l_loc = *ops[4].out;

  const auto reads = [&](std::size_t index, const std::vector<TensorHandle>& wanted) {
    BOOST_REQUIRE(ops[index].operands.size() == wanted.size());
    for (std::size_t at = 0; at < wanted.size(); ++at)
      BOOST_TEST(ops[index].operands[at].same_tensor(wanted[at]));
  };
  reads(0, {f.s});
  reads(1, {f.m, m_loc});
  reads(2, {f.m, m_new});
  reads(3, {f.s, m_new});
  reads(4, {p});
  reads(5, {f.l, corr, l_loc});
  reads(6, {f.o, corr});
  reads(7, {m_new});
  reads(8, {p, f.v});
  reads(9, {f.o, f.o});
  BOOST_TEST(ops[5].out->same_tensor(f.l));
  BOOST_TEST(ops[6].out->same_tensor(f.o));
  BOOST_TEST(ops[7].out->same_tensor(f.m));
  BOOST_TEST(ops[8].out->same_tensor(f.o));
  BOOST_TEST(ops[9].out->same_tensor(f.o));
  BOOST_TEST(std::get<std::int32_t>(*ops[0].extra("reduce_axis")) == -1);
  BOOST_TEST(ops[2].extras.empty());
  BOOST_TEST(std::get<std::int32_t>(*ops[3].extra("bcast_axis")) == 0);
  BOOST_TEST(std::get<std::int32_t>(*ops[4].extra("reduce_axis")) == -1);
  BOOST_TEST(std::get<std::int32_t>(*ops[6].extra("bcast_axis")) == 1);
}

BOOST_AUTO_TEST_CASE(rw_handles_are_the_recipes_in_declared_order_then_out_each_once) {
  DecodeFixture f;
  f.tl.composite(f.second_composite());
  const auto& rw = f.sink.get<CompositeCmd>(f.issued_by_setup).rw_handles;
  BOOST_REQUIRE(rw.size() == 3U);
  BOOST_TEST(rw[0].same_tensor(f.m));
  BOOST_TEST(rw[1].same_tensor(f.l));
  BOOST_TEST(rw[2].same_tensor(f.o));
}

BOOST_AUTO_TEST_CASE(rw_handles_of_a_plain_composite_are_its_out) {
  DecodeFixture f;
  const TensorHandle result = f.tl.composite(f.plain_gemm());
  const auto& rw = f.sink.get<CompositeCmd>(f.issued_by_setup).rw_handles;
  BOOST_REQUIRE(rw.size() == 1U);
  BOOST_TEST(rw[0].same_tensor(result));
}

// Header 4 + 1 + 1 + 3*8 = 30. Ops: rmax 24, max_elem 28, exp_diff 28, exp_diff with axis 32, rsum 24, fma
// 36, mul_bcast 32, copy 20 (224 in all), gemm 40, add 28. 30 + 224 + 40 + 28 = 322.
BOOST_AUTO_TEST_CASE(second_composite_of_opt2_takes_322_bytes) {
  DecodeFixture f;
  f.tl.composite(f.second_composite());
  BOOST_TEST(f.sink.issued.back().slice.logical_bytes.count() == 322U);
  BOOST_TEST(f.sink.issued.back().slice.segments == 1U);
  BOOST_TEST(f.sink.issued.back().slice.last_op == 10U);
}

// Header 4 + 1 + 1 + 8 = 14, GEMM 1 + 1 + (1 + 16) + 8 + (1 + 12) = 40; a scale is 4 more.
BOOST_AUTO_TEST_CASE(a_gemm_composite_takes_54_bytes_and_58_with_scale) {
  DecodeFixture f;
  CompositeRequest request = f.plain_gemm();
  f.tl.composite(request);
  BOOST_TEST(f.sink.issued.back().slice.logical_bytes.count() == 54U);
  request.scale = 0.25F;
  f.tl.composite(request);
  BOOST_TEST(f.sink.issued.back().slice.logical_bytes.count() == 58U);
  const OpSpec& gemm = std::get<CompositeCmd>(*f.sink.issued.back().slice.command).ops.front();
  BOOST_TEST(gemm_scale_of(gemm) == 0.25F);
  BOOST_TEST(gemm_shape_of(gemm).m == 4U);
  BOOST_TEST(gemm_shape_of(gemm).k == 16U);
  BOOST_TEST(gemm_shape_of(gemm).n == 8U);
}

BOOST_AUTO_TEST_CASE(out_ptr_is_out_as_a_ref) {
  DecodeFixture f;
  CompositeRequest by_pointer = f.plain_gemm();
  by_pointer.out_ptr = 0x9000;
  CompositeRequest by_handle = f.plain_gemm();
  by_handle.out = f.tl.ref(0x9000, {4, 8}, DType::f32);
  const TensorHandle first = f.tl.composite(by_pointer);
  const TensorHandle second = f.tl.composite(by_handle);
  BOOST_TEST(first.same_tensor(second));
  const auto& a = f.sink.get<CompositeCmd>(f.issued_by_setup);
  const auto& b = f.sink.get<CompositeCmd>(f.issued_by_setup + 1);
  BOOST_TEST(a.ops[0].out->same_tensor(*b.ops[0].out));
  BOOST_TEST(a.rw_handles[0].same_tensor(b.rw_handles[0]));
}

BOOST_AUTO_TEST_CASE(old_form_with_epilogue_lowers_to_the_same_flat_ops) {
  DecodeFixture f;
  const TensorHandle other = f.tl.zeros({4, 8});
  const TensorHandle out = f.tl.empty({4, 8});
  CompositeRequest implicit = f.plain_gemm();
  implicit.out = out;
  implicit.epilogue = {CompositeEntry("add", {{"other", other}}), CompositeEntry("gelu")};
  CompositeRequest spelled_out = f.plain_gemm();
  spelled_out.out = out;
  CompositeEntry add("add", {{"acc", out}, {"other", other}});
  add.scope = Scope::output_tile;
  CompositeEntry gelu("gelu", {{"src", out}});
  gelu.scope = Scope::output_tile;
  gelu.out = out;
  spelled_out.epilogue = {add, gelu};
  f.tl.composite(implicit);
  f.tl.composite(spelled_out);
  const auto& a = f.sink.get<CompositeCmd>(f.sink.issued.size() - 2);
  const auto& b = f.sink.get<CompositeCmd>(f.sink.issued.size() - 1);
  BOOST_TEST(op_names(a) == "gemm add gelu");
  BOOST_REQUIRE(a.ops.size() == b.ops.size());
  for (std::size_t index = 0; index < a.ops.size(); ++index) {
    BOOST_TEST((a.ops[index].kind == b.ops[index].kind));
    BOOST_TEST((a.ops[index].scope == b.ops[index].scope));
    BOOST_TEST((a.ops[index].extras == b.ops[index].extras));
    BOOST_TEST(a.ops[index].out->same_tensor(*b.ops[index].out));
    for (std::size_t at = 0; at < a.ops[index].operands.size(); ++at)
      BOOST_TEST(a.ops[index].operands[at].same_tensor(b.ops[index].operands[at]));
  }
  // add = 1 + 1 + (1 + 16) + 8 + 1 = 28.
  BOOST_TEST(logical_bytes(a.ops[1]).count() == 28U);
}

BOOST_AUTO_TEST_CASE(out_left_off_is_f32_scratch_of_the_compilers) {
  DecodeFixture f;
  const TensorHandle result = f.tl.composite(f.plain_gemm());
  BOOST_TEST(result.pinned());
  BOOST_TEST((result.dtype == DType::f32));
  BOOST_TEST((result.shape == Dims{4, 8}));
  BOOST_TEST(result.address % 64 == 0U);
}

BOOST_AUTO_TEST_CASE(an_i8_product_is_i32_by_default) {
  Bench f;
  CompositeRequest request;
  request.a = f.tl.ref(0, {4, 16}, DType::i8);
  request.b = f.tl.ref(0x1000, {16, 8}, DType::i8);
  BOOST_TEST((f.tl.composite(request).dtype == DType::i32));
}

BOOST_AUTO_TEST_CASE(result_is_pending_on_its_composite) {
  DecodeFixture f;
  const TensorHandle result = f.tl.composite(f.plain_gemm());
  BOOST_TEST(result.pending == f.sink.issued.back().slice.completion);
  f.tl.wait(result);
  BOOST_REQUIRE(f.sink.waits.size() == 1U);
  BOOST_TEST((f.sink.waits[0] == std::vector<CompletionId>{result.pending}));
}

// softmax_merge alone: header 4 + 1 + 1 + 4*8 (m, l, O and its result P) = 38; ops 224. P.V with add: 14 + 40
// + 28.
BOOST_AUTO_TEST_CASE(recipe_without_a_head_gives_its_primary_out) {
  DecodeFixture f;
  CompositeRequest request;
  request.op = "math";
  request.prologue = {f.merge()};
  const TensorHandle p = f.tl.composite(request);
  BOOST_TEST((p.shape == f.s.shape));
  BOOST_TEST((p.dtype == f.s.dtype));
  BOOST_TEST(f.sink.issued.back().slice.logical_bytes.count() == 262U);
  const auto& composite = f.sink.get<CompositeCmd>(f.issued_by_setup);
  BOOST_TEST(composite.rw_handles.size() == 4U);
  BOOST_TEST(composite.rw_handles[3].same_tensor(p));
  // The result is the kernel's own: a second use of the recipe may not take its place.
  BOOST_TEST(!f.tl.composite(request).range().overlaps(p.range()));
}

BOOST_AUTO_TEST_CASE(recipe_result_goes_where_out_says) {
  DecodeFixture f;
  CompositeRequest request;
  request.op = "math";
  request.prologue = {f.merge()};
  request.out = f.tl.empty({4, 8});
  BOOST_TEST(f.tl.composite(request).same_tensor(*request.out));
}

BOOST_AUTO_TEST_CASE(intermediates_take_the_dtypes_of_the_state) {
  Bench f;
  const TensorHandle s = f.tl.empty({4, 8}, DType::f16);
  const TensorHandle m = f.tl.zeros({4}, DType::f32);
  const TensorHandle l = f.tl.zeros({4}, DType::bf16);
  const TensorHandle o = f.tl.zeros({4, 16}, DType::f32);
  CompositeRequest request;
  request.op = "math";
  request.prologue = {CompositeEntry("softmax_merge", {{"s", s}, {"m", m}, {"l", l}, {"O", o}})};
  f.tl.composite(request);
  const std::vector<OpSpec>& ops = f.sink.get<CompositeCmd>(3).ops;
  BOOST_TEST((ops[0].out->dtype == DType::f32));   // m_loc
  BOOST_TEST((ops[1].out->dtype == DType::f32));   // m_new
  BOOST_TEST((ops[2].out->dtype == DType::f32));   // corr
  BOOST_TEST((ops[3].out->dtype == DType::f16));   // P
  BOOST_TEST((ops[4].out->dtype == DType::bf16));  // l_loc
}

BOOST_AUTO_TEST_CASE(recipe_scratch_outside_of_scopes_is_one_slot) {
  DecodeFixture f;
  f.tl.composite(f.second_composite());
  const Bytes after_first = f.tl.scratch().used();
  f.tl.composite(f.second_composite());
  BOOST_TEST(f.tl.scratch().used().count() == after_first.count());
  const auto& first = f.sink.get<CompositeCmd>(f.issued_by_setup);
  const auto& second = f.sink.get<CompositeCmd>(f.issued_by_setup + 1);
  BOOST_TEST(first.ops[3].out->same_tensor(*second.ops[3].out));
}

BOOST_AUTO_TEST_CASE(recipe_scratch_inside_a_scope_ends_with_it) {
  DecodeFixture f;
  const Bytes before = f.tl.scratch().used();
  {
    const ScratchScope scope = f.tl.scratch_scope();
    f.tl.composite(f.second_composite());
    BOOST_TEST(f.tl.scratch().used().count() > before.count());
  }
  BOOST_TEST(f.tl.scratch().used().count() == before.count());
}

BOOST_AUTO_TEST_CASE(a_refused_call_leaves_no_slot_behind) {
  DecodeFixture f;
  CompositeRequest wrong = f.second_composite();
  wrong.epilogue = {CompositeEntry("nonsense")};
  emit_error_of(f, [&] { f.tl.composite(wrong); });
  f.tl.composite(f.second_composite());
  const auto& composite = f.sink.get<CompositeCmd>(f.issued_by_setup);
  BOOST_TEST(!f.tl.scratch().find_problem(*composite.ops[3].out).has_value());
}

BOOST_AUTO_TEST_CASE(kernel_op_after_the_gemm_works_on_the_stored_result) {
  DecodeFixture f;
  CompositeRequest request = f.plain_gemm();
  CompositeEntry sum("rsum");
  sum.scope = Scope::kernel;
  sum.out = f.tl.empty({4});
  request.epilogue = {CompositeEntry("relu"), sum};
  const TensorHandle result = f.tl.composite(request);
  const std::vector<OpSpec>& ops = f.sink.get<CompositeCmd>(f.issued_by_setup).ops;
  BOOST_TEST((ops[1].scope == Scope::output_tile));
  BOOST_TEST((ops[2].scope == Scope::kernel));
  BOOST_TEST(ops[2].operands[0].same_tensor(result));
  BOOST_TEST(ops[2].out->same_tensor(*sum.out));
}

BOOST_AUTO_TEST_CASE(plain_prologue_op_runs_before_the_gemm) {
  DecodeFixture f;
  CompositeRequest request = f.plain_gemm();
  CompositeEntry relu("relu", {{"src", f.q}});
  relu.out = f.q;
  request.prologue = {relu};
  f.tl.composite(request);
  BOOST_TEST(op_names(f.sink.get<CompositeCmd>(f.issued_by_setup)) == "relu gemm");
}

BOOST_AUTO_TEST_CASE(math_head_takes_a_b_and_out) {
  DecodeFixture f;
  CompositeRequest request;
  request.op = "math";
  request.math_op = "mul_bcast";
  request.a = f.o;
  request.b = f.l;
  request.out = f.o;
  CompositeEntry neg("neg");
  neg.scope = Scope::kernel;
  request.epilogue = {neg};
  BOOST_TEST(f.tl.composite(request).same_tensor(f.o));
  BOOST_TEST(op_names(f.sink.get<CompositeCmd>(f.issued_by_setup)) == "mul_bcast neg");
}

BOOST_AUTO_TEST_CASE(sizes_of_zero_are_issued) {
  Bench f;
  CompositeRequest request;
  request.a = f.tl.ref(0, {4, 0}, DType::f16);
  request.b = f.tl.ref(0x1000, {0, 8}, DType::f16);
  f.tl.composite(request);
  request.a = f.tl.ref(0, {0, 16}, DType::f16);
  request.b = f.tl.ref(0x1000, {16, 8}, DType::f16);
  f.tl.composite(request);
  BOOST_TEST(f.sink.issued.size() == 2U);
  BOOST_TEST(gemm_shape_of(f.sink.get<CompositeCmd>(0).ops[0]).k == 0U);
}

BOOST_AUTO_TEST_CASE(a_recipe_added_from_outside_works_on_tiles) {
  RecipeDescriptor recipe;
  recipe.name = "residual_silu";
  recipe.operands = {{"residual", Access::read}};
  recipe.tile_alignment = TileAlignment::tile_aligned;
  recipe.engine_seq = {{Opcode::add, {"acc", "residual"}, "acc", {}}, {Opcode::silu, {"acc"}, "acc", {}}};
  RecipeTable table = RecipeTable::standard();
  table.add(recipe);
  TlOptions options;
  options.recipes = std::make_shared<const RecipeTable>(table);
  DecodeFixture f(options);
  CompositeRequest request = f.plain_gemm();
  request.epilogue = {CompositeEntry("residual_silu", {{"residual", f.s}})};
  f.tl.composite(request);
  const auto& composite = f.sink.get<CompositeCmd>(f.issued_by_setup);
  BOOST_TEST(op_names(composite) == "gemm add silu");
  BOOST_TEST((composite.ops[2].scope == Scope::output_tile));

  CompositeRequest misplaced = f.plain_gemm();
  misplaced.prologue = {CompositeEntry("residual_silu", {{"residual", f.s}})};
  BOOST_TEST(emit_error_of(f, [&] { f.tl.composite(misplaced); }).operand() == "prologue");
}

// What composites wait for: inputs only, by byte range; not what they make themselves, nor the out of the
// scores.
BOOST_AUTO_TEST_CASE(pending_inputs_of_a_composite_are_what_comes_from_outside) {
  DecodeFixture f;  // completions 1 to 4: q, m, l, O
  CompositeRequest scores = f.plain_gemm();
  scores.out = f.s;
  f.tl.composite(scores);  // 5
  BOOST_TEST((f.sink.issued.back().pending_inputs == std::vector<CompletionId>{1}));
  f.tl.composite(f.second_composite());  // 6 reads s, m, l, O
  BOOST_TEST((f.sink.issued.back().pending_inputs == std::vector<CompletionId>{2, 3, 4, 5}));
  f.tl.composite(
      f.second_composite());  // 7: its scratch was written by 6, but it writes that before it reads it
  BOOST_TEST((f.sink.issued.back().pending_inputs == std::vector<CompletionId>{5, 6}));
}

BOOST_AUTO_TEST_CASE(reused_recipe_scratch_is_no_input) {
  DecodeFixture f;
  f.tl.composite(f.second_composite());  // 5 writes the recipe's slot
  CompositeRequest other = f.second_composite();
  const TensorHandle m = f.tl.zeros({4}), l = f.tl.zeros({4}), o = f.tl.zeros({4, 16});  // 6, 7, 8
  other.prologue = {CompositeEntry("softmax_merge", {{"s", f.s}, {"m", m}, {"l", l}, {"O", o}})};
  other.out = o;
  other.epilogue = {CompositeEntry("add", {{"other", o}})};
  f.tl.composite(other);
  BOOST_TEST((f.sink.issued.back().pending_inputs == std::vector<CompletionId>{6, 7, 8}));
}

BOOST_AUTO_TEST_CASE(old_output_that_the_epilogue_adds_is_an_input) {
  DecodeFixture f;
  CompositeRequest request;
  request.a = f.s;
  request.b = f.v;
  request.out = f.o;
  request.epilogue = {CompositeEntry("add", {{"other", f.o}})};
  f.tl.composite(request);
  BOOST_TEST((f.sink.issued.back().pending_inputs == std::vector<CompletionId>{4}));
}

BOOST_AUTO_TEST_SUITE_END()
