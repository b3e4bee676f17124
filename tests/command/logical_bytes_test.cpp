// SPDX-License-Identifier: Apache-2.0
//
// The numbers of SPEC 1.1, 2, 9 and 11.25, each from the table of sizes: framing 4, opcode 1, scope 1, tensor
// 8, scalar 4, list marker 1.
#include <boost/test/unit_test.hpp>

#include "petal/command/pe_command.hpp"
#include "petal/pe_cpu/dispatch_cost.hpp"
#include "sample_commands.hpp"

using namespace petal;
using namespace petal::test;

namespace {

Bytes sum_of(const std::vector<PeCommand>& commands) {
  Bytes sum{0};
  for (const PeCommand& command : commands) sum += logical_bytes(command);
  return sum;
}

double cycles_of(const std::vector<PeCommand>& commands, const DispatchCostConfig& cost = {}) {
  Cycles sum{0};
  for (const PeCommand& command : commands) sum += dispatch_cycles(cost, logical_bytes(command));
  return sum.count();
}

MathCmd math(Opcode kind, std::size_t operands, ScalarList extras = {}) {
  MathCmd command;
  command.kind = kind;
  command.operands.assign(operands, in_tcm(0, {4}));
  command.extras = std::move(extras);
  return command;
}

/// opt1's tile: load K, dot, scale, the eight of the merge, load V, dot, add.
std::vector<PeCommand> opt1_tile() {
  std::vector<PeCommand> commands = {DmaReadCmd{}, GemmCmd{}, math(Opcode::scale, 1, {0.5F})};
  for (const PeCommand& command : merge_commands()) commands.push_back(command);
  commands.emplace_back(DmaReadCmd{});
  commands.emplace_back(GemmCmd{});
  commands.emplace_back(math(Opcode::add, 2));
  return commands;
}

std::vector<PeCommand> opt2_tile() {
  return {scores_composite(true), merge_values_composite()};
}

std::vector<PeCommand> opt3_tile() {
  std::vector<PeCommand> commands = merge_commands();
  commands.emplace_back(scores_composite(true));
  commands.emplace_back(values_composite());
  return commands;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(logical_bytes_of)

BOOST_AUTO_TEST_CASE(scalars) {
  BOOST_TEST(logical_bytes(ScalarValue(std::int32_t{-1})).count() == 4U);
  BOOST_TEST(logical_bytes(ScalarValue(1.0F)).count() == 4U);
  BOOST_TEST(logical_bytes(ScalarValue(true)).count() == 1U);
  BOOST_TEST(logical_bytes(ScalarValue(Tag{3})).count() == 1U);
  BOOST_TEST(logical_bytes(ScalarValue(std::vector<std::int32_t>{1, 2, 3})).count() == 13U);  // 1 + 4 * 3
  BOOST_TEST(logical_bytes(ScalarValue(std::vector<std::int32_t>{})).count() == 1U);
}

BOOST_AUTO_TEST_CASE(each_op_of_the_merge) {
  // 1 opcode + 1 scope + 1 marker + 8 an operand + 8 out + 1 marker + 4 a scalar.
  const std::uint64_t expected[] = {
      24,  // rmax: 3 + 8 + 8 + 1 + 4
      28,  // max_elem: 3 + 16 + 8 + 1
      28,  // exp_diff
      32,  // exp_diff with bcast_axis
      24,  // rsum
      36,  // fma: 3 + 24 + 8 + 1
      32,  // mul_bcast with bcast_axis
      20,  // copy: 3 + 8 + 8 + 1
  };
  const std::vector<OpSpec> ops = merge_ops();
  BOOST_REQUIRE(ops.size() == std::size(expected));
  for (std::size_t index = 0; index < ops.size(); ++index)
    BOOST_TEST(logical_bytes(ops[index]).count() == expected[index], name_of(ops[index].kind));
}

BOOST_AUTO_TEST_CASE(gemm_and_add_ops) {
  BOOST_TEST(logical_bytes(scores_composite(false).ops[0]).count() == 40U);  // 3 + 16 + 8 + 1 + 12
  BOOST_TEST(logical_bytes(scores_composite(true).ops[0]).count() == 44U);
  BOOST_TEST(logical_bytes(values_composite().ops[1]).count() == 28U);
  OpSpec no_out = values_composite().ops[1];
  no_out.out.reset();
  BOOST_TEST(logical_bytes(no_out).count() == 20U);
}

BOOST_AUTO_TEST_CASE(composites) {
  BOOST_TEST(logical_bytes(scores_composite(false)).count() == 54U);  // 4 + (1 + 40) + (1 + 8)
  BOOST_TEST(logical_bytes(scores_composite(true)).count() == 58U);
  BOOST_TEST(logical_bytes(values_composite()).count() == 82U);  // 4 + (1 + 40 + 28) + (1 + 8)
  // 4 + (1 + 224 + 40 + 28) + (1 + 24); the merge is 24+28+28+32+24+36+32+20 = 224.
  BOOST_TEST(logical_bytes(merge_values_composite()).count() == 322U);
  BOOST_TEST(header_bytes(merge_values_composite()).count() == 30U);  // 4 + 1 + 24 + 1
  BOOST_TEST(logical_bytes(CompositeCmd{}).count() == 6U);
}

BOOST_AUTO_TEST_CASE(primitives) {
  BOOST_TEST(logical_bytes(DmaReadCmd{}).count() == 24U);  // 4 + 8 + 8 + 4
  BOOST_TEST(logical_bytes(DmaWriteCmd{}).count() == 24U);
  BOOST_TEST(logical_bytes(OverheadCmd{}).count() == 8U);
  GemmCmd gemm;
  BOOST_TEST(logical_bytes(gemm).count() == 40U);  // 4 + 24 + 12
  gemm.scale = 0.5F;
  BOOST_TEST(logical_bytes(gemm).count() == 44U);
  BOOST_TEST(logical_bytes(math(Opcode::fill, 0, {0.0F})).count() == 17U);  // 4 + 1 + 8 + 4
  BOOST_TEST(logical_bytes(math(Opcode::scale, 1, {0.5F})).count() == 25U);
}

BOOST_AUTO_TEST_CASE(the_merge_as_primitives) {
  // rmax 25, max_elem 29, exp_diff 29, exp_diff 33, rsum 25, fma 37, mul_bcast 33, copy 21.
  BOOST_TEST(sum_of(merge_commands()).count() == 232U);
}

BOOST_AUTO_TEST_CASE(a_tile_of_each_decode_kernel) {
  BOOST_TEST(opt1_tile().size() == 14U);
  BOOST_TEST(sum_of(opt1_tile()).count() == 414U);  // 24 + 40 + 25 + 232 + 24 + 40 + 29
  BOOST_TEST(opt2_tile().size() == 2U);
  BOOST_TEST(sum_of(opt2_tile()).count() == 380U);  // 58 + 322
  BOOST_TEST(opt3_tile().size() == 10U);
  BOOST_TEST(sum_of(opt3_tile()).count() == 372U);  // 58 + 232 + 82
}

BOOST_AUTO_TEST_CASE(dispatch_is_fixed_plus_bytes_times_r) {
  BOOST_TEST(dispatch_cycles({}, Bytes(54)).count() == 43.375);  // 40 + 54 / 16
  BOOST_TEST(cycles_of(opt1_tile()) == 585.875);                 // 14 * 40 + 414 / 16
  BOOST_TEST(cycles_of(opt2_tile()) == 103.75);                  // 2 * 40 + 380 / 16
  BOOST_TEST(cycles_of(opt3_tile()) == 423.25);                  // 10 * 40 + 372 / 16
  DispatchCostConfig free;
  free.fixed_per_cmd_cycles = 0;
  free.byte_cycles_recip = 0;
  BOOST_TEST(cycles_of(opt1_tile(), free) == 0.0);
}

BOOST_AUTO_TEST_CASE(the_gates_on_dispatch_hold_and_shrink_as_r_grows) {
  double last_ratio = 100.0;
  for (const double r : {0.03125, 0.0625, 0.25}) {
    DispatchCostConfig cost;
    cost.byte_cycles_recip = r;
    const double ratio = cycles_of(opt3_tile(), cost) / cycles_of(opt2_tile(), cost);
    BOOST_TEST(ratio > 2.0);
    BOOST_TEST(ratio < last_ratio);
    last_ratio = ratio;
  }
  // (400 + 372 / 4) / (80 + 380 / 4) = 493 / 175
  BOOST_TEST(last_ratio == 493.0 / 175.0);
}

BOOST_AUTO_TEST_CASE(what_a_command_is_called) {
  BOOST_TEST(op_name(merge_values_composite()) == "gemm");
  CompositeCmd merge;
  merge.ops = merge_ops();
  BOOST_TEST(op_name(merge) == "rmax");
  BOOST_TEST(op_name(DmaWriteCmd{}) == "dma_write");
  BOOST_TEST(kind_name(PeCommand(merge)) == "CompositeCmd");
  BOOST_TEST((gemm_index(merge_values_composite().ops) == std::size_t{8}));
  BOOST_TEST(!gemm_index(merge.ops));
}

BOOST_AUTO_TEST_SUITE_END()
