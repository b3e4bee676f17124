// SPDX-License-Identifier: Apache-2.0
#include "petal/host/tl_context.hpp"

#include <boost/test/unit_test.hpp>

#include "host/recording_sink.hpp"

using namespace petal;
using namespace petal::test;

BOOST_AUTO_TEST_SUITE(tl_context)

BOOST_AUTO_TEST_CASE(load_returns_at_once_a_pinned_pending_handle) {
  Bench f;
  const TensorHandle ref = f.tl.ref(0x1000, {8, 16}, DType::f16);
  BOOST_TEST(!ref.pinned());
  BOOST_TEST(f.sink.issued.empty());
  const TensorHandle loaded = f.tl.load(ref);
  BOOST_TEST(loaded.pinned());
  BOOST_TEST(loaded.pending == 1U);
  const auto& command = f.sink.get<DmaReadCmd>(0);
  BOOST_TEST(command.nbytes == 256U);
  BOOST_TEST(command.src.same_tensor(ref));
  BOOST_TEST(command.dst.same_tensor(loaded));
  BOOST_TEST(f.sink.issued[0].slice.logical_bytes.count() == 24U);  // 4 + 8 + 8 + 4
  BOOST_TEST(f.sink.issued[0].is_primitive);
}

BOOST_AUTO_TEST_CASE(transposed_view_is_loaded_as_it_is_stored) {
  Bench f;
  const TensorHandle stored = f.tl.ref(0x1000, {8, 16}, DType::f16);
  const TensorHandle loaded = f.tl.load(f.tl.trans(stored));
  BOOST_TEST((loaded.shape == Dims{16, 8}));
  BOOST_TEST((loaded.strides == Dims{1, 16}));
  BOOST_TEST(f.sink.get<DmaReadCmd>(0).src.same_tensor(stored));
}

BOOST_AUTO_TEST_CASE(strided_rows_are_packed_by_a_load) {
  Bench f;
  const TensorHandle loaded = f.tl.load(f.tl.ref(0x1000, {8, 16}, DType::f16, {64, 1}));
  BOOST_TEST((loaded.strides == Dims{16, 1}));
  BOOST_TEST(f.sink.get<DmaReadCmd>(0).nbytes == 256U);
}

BOOST_AUTO_TEST_CASE(load_of_nothing_is_a_command) {
  Bench f;
  const TensorHandle loaded = f.tl.load(f.tl.ref(0x1000, {0, 16}, DType::f16));
  BOOST_TEST(f.sink.get<DmaReadCmd>(0).nbytes == 0U);
  f.tl.wait(loaded);
  BOOST_TEST((f.sink.waits.at(0) == std::vector<CompletionId>{1}));
}

BOOST_AUTO_TEST_CASE(load_and_store_refuse_what_they_cannot_move) {
  Bench f;
  const TensorHandle in_tcm = f.tl.zeros({8, 16});
  BOOST_TEST(emit_error_of(f, [&] { f.tl.load(in_tcm); }).op() == "load");
  BOOST_TEST(emit_error_of(f, [&] {
               f.tl.load(f.tl.ref(0, {8, 16}, DType::f32, {64, 2}));
             }).operand() == "src");
  const TensorHandle ref = f.tl.ref(0, {8, 16}, DType::f32);
  BOOST_TEST(emit_error_of(f, [&] { f.tl.store(in_tcm, in_tcm); }).operand() == "dst");
  BOOST_TEST(mentions(emit_error_of(f, [&] { f.tl.store(ref, ref); }), "load()"));
  BOOST_TEST(emit_error_of(f, [&] {
               f.tl.store(f.tl.ref(0, {8, 8}, DType::f32), in_tcm);
             }).operand() == "value");
  BOOST_TEST(emit_error_of(f, [&] {
               f.tl.store(f.tl.ref(0, {8, 16}, DType::f16), in_tcm);
             }).operand() == "value");
}

BOOST_AUTO_TEST_CASE(nbytes_beyond_u32_is_refused) {
  TlOptions options;
  options.arena = Bytes(std::uint64_t{1} << 40U);
  Bench f(options);
  const TensorHandle huge = f.tl.ref(0, {std::uint64_t{1} << 30U}, DType::f32);  // 4 GiB, one byte too many
  BOOST_TEST(mentions(emit_error_of(f, [&] { f.tl.load(huge); }), "4294967296"));
}

// fill = 4 + 1 + 8 + 4 = 17 bytes.
BOOST_AUTO_TEST_CASE(zeros_and_full_fill_by_a_command_and_empty_does_not) {
  Bench f;
  f.tl.empty({4});
  BOOST_TEST(f.sink.issued.empty());
  const TensorHandle zeros = f.tl.zeros({4});
  f.tl.full({4}, 2.5F, DType::f16);
  BOOST_TEST(zeros.pending == 1U);
  BOOST_TEST(f.sink.names(0, 2) == "fill fill");
  BOOST_TEST(f.sink.bytes(0, 1) == 17U);
  BOOST_TEST(std::get<float>(f.sink.get<MathCmd>(1).extras.at(0)) == 2.5F);
}

// GEMM = 4 + 8*2 + 8 + 4*3 = 40 bytes, 44 with a scale.
BOOST_AUTO_TEST_CASE(dot_issues_a_gemm_command) {
  Bench f;
  const TensorHandle a = f.tl.zeros({4, 16}, DType::f16);
  const TensorHandle b = f.tl.zeros({8, 16}, DType::f32);
  const TensorHandle c = f.tl.dot(a, f.tl.trans(b));
  BOOST_TEST((c.shape == Dims{4, 8}));
  BOOST_TEST((c.dtype == DType::f32));
  BOOST_TEST(f.sink.bytes(2, 3) == 40U);
  BOOST_TEST((f.sink.issued[2].pending_inputs == std::vector<CompletionId>{1, 2}));
  f.tl.dot(a, f.tl.trans(b), {c, 0.5F});
  BOOST_TEST(f.sink.bytes(3, 4) == 44U);
  BOOST_TEST(f.sink.get<GemmCmd>(3).out.same_tensor(c));
}

BOOST_AUTO_TEST_CASE(dot_and_math_on_hbm_name_load) {
  Bench f;
  const TensorHandle a = f.tl.zeros({4, 16});
  const TensorHandle ref = f.tl.ref(0, {16, 4}, DType::f32);
  const EmitError dot = emit_error_of(f, [&] { f.tl.dot(a, ref); });
  BOOST_TEST(dot.op() == "dot");
  BOOST_TEST(dot.operand() == "b");
  BOOST_TEST(mentions(dot, "load()"));
  const EmitError add = emit_error_of(f, [&] { f.tl.add(a, f.tl.ref(0, {4, 16}, DType::f32)); });
  BOOST_TEST(add.op() == "add");
  BOOST_TEST(add.operand() == "other");
  BOOST_TEST(mentions(add, "load()"));
}

BOOST_AUTO_TEST_CASE(dot_refuses_overlap_and_an_out_of_another_shape) {
  Bench f;
  const TensorHandle a = f.tl.zeros({4, 4});
  const TensorHandle b = f.tl.zeros({4, 4});
  BOOST_TEST(emit_error_of(f, [&] { f.tl.dot(a, b, {a, {}}); }).operand() == "out");
  const TensorHandle wide = f.tl.empty({4, 5});
  BOOST_TEST(emit_error_of(f, [&] { f.tl.dot(a, b, {wide, {}}); }).operand() == "out");
}

// The eight of the merge: rmax 25, max 29, exp_diff 29, exp_diff with axis 33, rsum 25, fma 37, mul_bcast 33,
// copy 21.
BOOST_AUTO_TEST_CASE(math_commands_take_the_bytes_of_their_fields) {
  Bench f;
  const TensorHandle s = f.tl.zeros({4, 8}), m = f.tl.zeros({4}), o = f.tl.zeros({4, 16});
  f.tl.max(s);
  f.tl.maximum(m, m);
  f.tl.exp_diff(m, m);
  f.tl.exp_diff(s, m);
  f.tl.sum(s);
  f.tl.fma(m, m, m);
  f.tl.mul_bcast(o, m);
  f.tl.copy(m);
  const std::uint64_t wanted[] = {25, 29, 29, 33, 25, 37, 33, 21};
  for (std::size_t index = 0; index < 8; ++index)
    BOOST_TEST(f.sink.bytes(3 + index, 4 + index) == wanted[index]);
  BOOST_TEST(f.sink.bytes(3, 11) == 232U);
}

BOOST_AUTO_TEST_CASE(math_ops_issue_their_opcode) {
  Bench f;
  const TensorHandle x = f.tl.zeros({4, 8}), r = f.tl.zeros({4});
  f.tl.sub(x, x), f.tl.mul(x, x), f.tl.div(x, x), f.tl.div_bcast(x, r), f.tl.scale(x, 2.0F),
      f.tl.clamp_min(x, 0.5F);
  f.tl.neg(x), f.tl.exp(x), f.tl.relu(x), f.tl.gelu(x), f.tl.tanh(x), f.tl.rsqrt(x), f.tl.sigmoid(x),
      f.tl.silu(x);
  f.tl.softcap(x, 30.0F), f.tl.band_mask(x, -1, 0), f.tl.where(x, f.tl.empty({8}, DType::boolean), -1.0F);
  BOOST_TEST(
      f.sink.names(2, 19) ==
      "sub mul div div_bcast scale clamp_min neg exp relu gelu tanh rsqrt sigmoid silu softcap band_mask "
      "where");
}

BOOST_AUTO_TEST_CASE(math_results_take_the_first_operands_dtype_and_the_rules_shape) {
  Bench f;
  const TensorHandle x = f.tl.zeros({4, 8}, DType::bf16), r = f.tl.zeros({4}, DType::f32);
  BOOST_TEST((f.tl.max(x).dtype == DType::bf16));
  BOOST_TEST((f.tl.max(x).shape == Dims{4}));
  BOOST_TEST((f.tl.sum(r).shape == Dims{1}));
  BOOST_TEST((f.tl.exp_diff(x, r).shape == Dims{4, 8}));
  BOOST_TEST((f.tl.exp_diff(x, r).dtype == DType::bf16));
}

BOOST_AUTO_TEST_CASE(math_in_place_is_allowed_and_partial_overlap_is_not) {
  Bench f;
  const TensorHandle x = f.tl.zeros({5, 8});
  TensorHandle upper = x, lower = x;
  upper.shape[0] = lower.shape[0] = 4;
  lower.address += 32;
  BOOST_CHECK_NO_THROW(f.tl.add(upper, upper, upper));
  BOOST_TEST(emit_error_of(f, [&] { f.tl.relu(upper, lower); }).operand() == "out");
  TensorHandle column = x;
  column.shape = Dims{5};
  column.strides = Dims{8};
  BOOST_TEST(emit_error_of(f, [&] { f.tl.sum(x, -1, column); }).operand() == "out");
  TensorHandle same_bytes = x;
  same_bytes.dtype = DType::i32;
  BOOST_TEST(emit_error_of(f, [&] { f.tl.relu(x, same_bytes); }).operand() == "out");
}

BOOST_AUTO_TEST_CASE(tensor_with_several_elements_at_one_address_is_read_but_not_written) {
  Bench f;
  TensorHandle spread = f.tl.zeros({4, 8});
  spread.strides = Dims{0, 1};
  const TensorHandle x = f.tl.zeros({4, 8});
  BOOST_CHECK_NO_THROW(f.tl.add(x, spread));
  BOOST_TEST(emit_error_of(f, [&] { f.tl.relu(x, spread); }).operand() == "out");
}

BOOST_AUTO_TEST_CASE(math_refuses_shapes_and_dtypes_that_do_not_go_together) {
  Bench f;
  const TensorHandle x = f.tl.zeros({4, 8}), y = f.tl.zeros({8, 4}), r = f.tl.zeros({4}), c = f.tl.zeros({8});
  const TensorHandle integers = f.tl.zeros({4, 8}, DType::i32);
  BOOST_TEST(emit_error_of(f, [&] { f.tl.add(x, y); }).operand() == "other");
  BOOST_TEST(emit_error_of(f, [&] { f.tl.mul_bcast(x, c); }).operand() == "src_b");
  BOOST_TEST(emit_error_of(f, [&] { f.tl.mul_bcast(x, x); }).operand() == "src_b");
  BOOST_TEST(emit_error_of(f, [&] { f.tl.exp_diff(x, c); }).operand() == "src_b");
  BOOST_TEST(emit_error_of(f, [&] { f.tl.fma(r, r, c); }).operand() == "src_c");
  BOOST_TEST(emit_error_of(f, [&] { f.tl.sum(x, 0); }).operand() == "src");
  BOOST_TEST(emit_error_of(f, [&] { f.tl.add(x, integers); }).operand() == "other");
  BOOST_TEST(emit_error_of(f, [&] { f.tl.relu(x, y); }).operand() == "out");
  BOOST_CHECK_NO_THROW(f.tl.sum(x, 1));
}

BOOST_AUTO_TEST_CASE(pending_inputs_go_by_bytes_not_by_handle) {
  Bench f;
  const TensorHandle x = f.tl.zeros({4, 8});  // 1
  const TensorHandle before = x;
  f.tl.relu(x, x);   // 2 writes the same bytes
  f.tl.neg(before);  // 3, by a handle from before
  BOOST_TEST((f.sink.issued[2].pending_inputs == std::vector<CompletionId>{2}));
  TensorHandle row = x;
  row.shape = Dims{8};
  row.strides = Dims{1};
  f.tl.neg(row);
  BOOST_TEST((f.sink.issued[3].pending_inputs == std::vector<CompletionId>{2}));
}

BOOST_AUTO_TEST_CASE(load_of_what_a_store_writes_waits_for_it) {
  Bench f;
  const TensorHandle place = f.tl.ref(0x1000, {4, 8}, DType::f32);
  f.tl.store(place, f.tl.zeros({4, 8}));
  f.tl.load(place);
  BOOST_TEST((f.sink.issued[1].pending_inputs == std::vector<CompletionId>{1}));
  BOOST_TEST((f.sink.issued[2].pending_inputs == std::vector<CompletionId>{2}));
}

BOOST_AUTO_TEST_CASE(wait_on_what_was_never_issued_is_an_error) {
  Bench f;
  BOOST_TEST(emit_error_of(f, [&] { f.tl.wait(f.tl.ref(0, {4}, DType::f32)); }).op() == "wait");
  const TensorHandle untouched = f.tl.empty({4});
  emit_error_of(f, [&] { f.tl.wait(untouched); });
  TensorHandle invented = f.tl.zeros({4});
  invented.pending = 99;
  BOOST_TEST(mentions(emit_error_of(f, [&] { f.tl.wait(invented); }), "99"));
  BOOST_TEST(f.sink.waits.empty());
}

BOOST_AUTO_TEST_CASE(cycles_go_to_the_cpu_and_take_no_completion) {
  Bench f;
  f.tl.cycles(123);
  BOOST_REQUIRE(f.sink.overheads.size() == 1U);
  BOOST_TEST(f.sink.overheads[0].cycles == 123U);
  BOOST_TEST(f.tl.next_completion() == 1U);
  BOOST_TEST(emit_error_of(f, [&] { f.tl.cycles(std::uint64_t{1} << 32U); }).op() == "cycles");
}

BOOST_AUTO_TEST_CASE(completions_continue_where_the_last_launch_ended) {
  TlOptions options;
  options.first_completion = 7;
  Bench f(options);
  TensorHandle from_before = f.tl.zeros({4});
  BOOST_TEST(from_before.pending == 7U);
  BOOST_TEST(f.tl.next_completion() == 8U);
  TensorHandle earlier = f.tl.ref(0, {4}, DType::f32);
  earlier.pending = 3;  // of an earlier launch, so done
  f.tl.wait(earlier);
  BOOST_TEST(f.sink.waits.empty());
}

BOOST_AUTO_TEST_CASE(refs_that_make_no_sense_are_refused) {
  Bench f;
  const std::uint64_t half = std::uint64_t{1} << 32U;
  BOOST_TEST(emit_error_of(f, [&] { f.tl.ref(0, {half, half}, DType::f32); }).op() == "ref");
  BOOST_TEST(emit_error_of(f, [&] { f.tl.ref(~std::uint64_t{0} - 8, {8}, DType::f32); }).op() == "ref");
  BOOST_TEST(emit_error_of(f, [&] { f.tl.ref(0, {4, 8}, DType::f32, {1}); }).operand() == "strides");
  BOOST_TEST(emit_error_of(f, [&] {
               f.tl.ref(0, {4, 8}, DType::f32, {~std::uint64_t{0}, 1});
             }).op() == "ref");
  BOOST_TEST(emit_error_of(f, [&] { f.tl.trans(f.tl.ref(0, {4}, DType::f32)); }).op() == "trans");
}

BOOST_AUTO_TEST_CASE(program_must_exist) {
  TlOptions options;
  options.program_id = 2;
  options.num_programs = 2;
  BOOST_CHECK_THROW(Bench{options}, ConfigError);
}

BOOST_AUTO_TEST_SUITE_END()
