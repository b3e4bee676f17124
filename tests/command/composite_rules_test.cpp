// SPDX-License-Identifier: Apache-2.0
#include "petal/command/composite_rules.hpp"

#include <boost/test/unit_test.hpp>

#include "sample_commands.hpp"

using namespace petal;
using namespace petal::test;

namespace {

void expect_valid(const CompositeCmd& composite) {
  const auto problem = find_structural_error(composite);
  BOOST_TEST(!problem, problem.value_or(""));
}

void expect_error(const CompositeCmd& composite, const std::string& reason) {
  const auto problem = find_structural_error(composite);
  BOOST_TEST(problem.value_or("no error").find(reason) != std::string::npos,
             "'" << problem.value_or("no error") << "' does not say '" << reason << "'");
}

/// P * V + O; its GEMM is op 0, the add op 1.
struct ValuesFixture {
  CompositeCmd composite = values_composite();
  TensorHandle out = *composite.ops[0].out;
  TensorHandle row = in_tcm(0x9000, {4});

  OpSpec& gemm() { return composite.ops[0]; }
  OpSpec& add() { return composite.ops[1]; }
  void append(const OpSpec& spec) { composite.ops.push_back(spec); }
  OpSpec tile_op(Scope scope = Scope::output_tile) const { return op(Opcode::relu, {out}, out, {}, scope); }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(composite_rules)

BOOST_AUTO_TEST_CASE(the_decode_composites_obey_them) {
  expect_valid(scores_composite(true));
  expect_valid(values_composite());
  expect_valid(merge_values_composite());
  CompositeCmd merge;
  merge.ops = merge_ops();
  expect_valid(merge);
}

BOOST_AUTO_TEST_CASE(a_composite_has_ops_and_each_an_out) {
  expect_error(CompositeCmd{}, "no ops");
  CompositeCmd composite = values_composite();
  composite.ops[1].out.reset();
  expect_error(composite, "op 1 (add) has no out");
}

BOOST_AUTO_TEST_CASE(operands_and_scalars_are_the_schemas) {
  CompositeCmd composite = values_composite();
  composite.ops[0].extras.pop_back();
  expect_error(composite, "op 0: gemm: has 2 scalars");
  composite = values_composite();
  composite.ops[1].operands.pop_back();
  expect_error(composite, "op 1: add: has 1 operands");
}

BOOST_FIXTURE_TEST_CASE(there_is_at_most_one_gemm, ValuesFixture) {
  append(op(Opcode::gemm, gemm().operands, out, gemm().extras));
  expect_error(composite, "op 2 (gemm) is a second GEMM beside op 0 (gemm)");
}

BOOST_FIXTURE_TEST_CASE(only_ops_after_the_gemm_have_a_tile_scope, ValuesFixture) {
  gemm().scope = Scope::output_tile;
  expect_error(composite, "op 0 (gemm) has scope OUTPUT_TILE");
  composite = merge_values_composite();
  composite.ops[3].scope = Scope::k_tile;
  expect_error(composite, "op 3 (exp_diff) has scope K_TILE, but up to the GEMM (op 8)");
  composite.ops.resize(8);
  expect_error(composite, "without a GEMM");
}

BOOST_FIXTURE_TEST_CASE(tile_ops_follow_the_gemm_at_once, ValuesFixture) {
  append(op(Opcode::copy, {row}, row));
  expect_valid(composite);
  append(tile_op());
  expect_error(composite, "op 3 (relu) has scope OUTPUT_TILE after op 2 (copy)");
}

BOOST_FIXTURE_TEST_CASE(tile_scopes_may_be_mixed, ValuesFixture) {
  append(tile_op(Scope::k_tile));
  append(tile_op(Scope::output_tile));
  expect_valid(composite);
}

BOOST_FIXTURE_TEST_CASE(a_tile_op_works_on_the_gemms_out, ValuesFixture) {
  const TensorHandle other = in_tcm(0xA000, out.shape);
  add().operands = {other, out};
  expect_error(composite,
               "op 1 (add) with scope OUTPUT_TILE has f32[4, 128]@tcm:0xa000 as its first operand");
  add().operands = {out, other};
  expect_valid(composite);
  add().out = other;
  expect_error(composite, "writes f32[4, 128]@tcm:0xa000");
}

BOOST_FIXTURE_TEST_CASE(a_tile_op_reads_and_keeps_the_accumulator, ValuesFixture) {
  append(op(Opcode::fill, {}, out, {0.0F}, Scope::output_tile));
  expect_error(composite, "op 2 (fill) with scope OUTPUT_TILE has nothing as its first operand");
  composite.ops.pop_back();
  append(op(Opcode::rmax, {out}, out, {-1}, Scope::output_tile));
  expect_error(composite, "op 2 (rmax) is a reduction");
}

BOOST_FIXTURE_TEST_CASE(a_gemms_operands_have_the_sizes_it_says, ValuesFixture) {
  gemm().extras[0] = 5;
  expect_error(composite, "op 0 (gemm): a is f32[4, 64]@tcm:0x2000, but m, k and n make it [5, 64]");
  composite = values_composite();
  gemm().extras[2] = 127;
  expect_error(composite, "b is");
  composite = values_composite();
  gemm().out = in_tcm(0x3000, {128, 4});
  expect_error(composite, "out is f32[128, 4]");
  composite = values_composite();
  gemm().operands[0] = in_tcm(0x2000, {1, 4, 64});
  expect_error(composite, "a is f32[1, 4, 64]");
}

BOOST_FIXTURE_TEST_CASE(out_lies_apart_from_a_and_b, ValuesFixture) {
  gemm().operands[0].address = out.address + 64;
  expect_error(composite, "overlaps a");
  composite = scores_composite(false);
  composite.ops[0].operands[1].space = Space::tcm;
  composite.ops[0].operands[1].address = 0x1000;  // S is there
  expect_error(composite, "overlaps b");
}

BOOST_FIXTURE_TEST_CASE(columns_of_one_buffer_do_not_count_as_overlap, ValuesFixture) {
  const Dims strides = {192, 1};
  gemm().operands[0] = in_tcm(0x3000, {4, 64});
  gemm().operands[0].strides = strides;
  for (TensorHandle* tensor : {&*gemm().out, &*add().out, &add().operands[0], &add().operands[1]}) {
    tensor->address = 0x3100;
    tensor->strides = strides;
  }
  expect_valid(composite);
}

BOOST_FIXTURE_TEST_CASE(no_kernel_op_follows_a_gemm_whose_out_is_in_hbm, ValuesFixture) {
  composite.ops.resize(1);
  composite.ops[0].out = in_hbm(0x3000, out.shape);
  expect_valid(composite);
  append(op(Opcode::copy, {row}, row));
  expect_error(composite,
               "op 1 (copy) has scope KERNEL after the GEMM, whose out f16[4, 128]@hbm:0x3000 is in HBM");
}

BOOST_FIXTURE_TEST_CASE(the_accumulator_may_stand_for_an_out_in_hbm, ValuesFixture) {
  const TensorHandle in_memory = in_hbm(0x3000, out.shape);
  gemm().out = in_memory;
  add().operands = {in_memory, in_tcm(0xA000, out.shape)};
  add().out = in_memory;
  expect_valid(composite);
}

// The first operand denotes the accumulator; a further one is read, and nothing would bring it from HBM.
BOOST_FIXTURE_TEST_CASE(an_out_in_hbm_is_not_read_beside_the_accumulator, ValuesFixture) {
  const TensorHandle in_memory = in_hbm(0x3000, out.shape);
  gemm().out = in_memory;
  add().operands = {in_memory, in_memory};
  add().out = in_memory;
  expect_error(composite, "op 1 (add) names f16[4, 128]@hbm:0x3000, which is in HBM");
}

BOOST_FIXTURE_TEST_CASE(beside_a_gemm_math_ops_name_tensors_in_tcm, ValuesFixture) {
  add().operands[1] = in_hbm(0x3000, out.shape);
  expect_error(composite, "op 1 (add) names f16[4, 128]@hbm:0x3000, which is in HBM");
  composite = merge_values_composite();
  composite.ops[7].out = in_hbm(0x5000, {4});
  expect_error(composite, "op 7 (copy) names");
}

BOOST_AUTO_TEST_CASE(zero_sizes_are_sizes) {
  CompositeCmd composite;
  const TensorHandle empty = in_tcm(0x40, {0, 8});
  composite.ops = {op(Opcode::gemm, {in_tcm(0, {0, 4}), in_tcm(0, {4, 8})}, empty, {0, 4, 8})};
  expect_valid(composite);
}

BOOST_AUTO_TEST_SUITE_END()
