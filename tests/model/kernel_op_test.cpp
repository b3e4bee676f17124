// SPDX-License-Identifier: Apache-2.0
#include "petal/pe_scheduler/kernel_op.hpp"

#include <boost/test/unit_test.hpp>

#include "command/sample_commands.hpp"
#include "model/stage_bench.hpp"

namespace {

using namespace petal;
using petal::test::in_tcm;
using petal::test::op;
using petal::test::StageBench;

const TensorHandle kS = in_tcm(0x000, {4, 64});
const TensorHandle kVector = in_tcm(0x400, {4});
const TensorHandle kOther = in_tcm(0x440, {4});

/// Runs `spec` to its end as op 3 of command 7, its stages numbered from 30.
StageBench run(const OpSpec& spec) {
  StageBench bench;
  KernelOp kernel_op({7, 0}, {&spec, 3}, 30, bench);
  kernel_op.begin({});
  bench.end_all(kernel_op);
  return bench;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(kernel_op)

BOOST_AUTO_TEST_CASE(fetch_math_and_store_come_one_after_the_other) {
  const OpSpec spec = op(Opcode::rmax, {kS}, kVector, {-1});
  StageBench bench;
  KernelOp kernel_op({7, 0}, {&spec, 3}, 30, bench);
  kernel_op.begin({});
  BOOST_TEST(bench.waiting() == "FETCH rmax");
  BOOST_TEST(!kernel_op.stage_ended(bench.stage("FETCH rmax"), {}));
  BOOST_TEST(bench.all() == "FETCH rmax, MATH rmax");
  BOOST_TEST(!kernel_op.stage_ended(bench.stage("MATH rmax"), {}));
  BOOST_TEST(bench.all() == "FETCH rmax, MATH rmax, STORE rmax");
  BOOST_TEST(kernel_op.stage_ended(bench.stage("STORE rmax"), {}));
  BOOST_TEST(bench.history().size() == 3U);
}

BOOST_AUTO_TEST_CASE(one_fetch_brings_all_inputs) {
  const StageBench bench = run(op(Opcode::exp_diff, {kS, kVector}, kS, {0}));
  BOOST_TEST(bench.stage("FETCH exp_diff").bytes == 1040U);  // (4*64 + 4) * 4
  BOOST_TEST(bench.stage("MATH exp_diff").elements == 256U);
  BOOST_TEST(bench.stage("STORE exp_diff").bytes == 1024U);
}

BOOST_AUTO_TEST_CASE(the_work_of_a_reduction_is_its_inputs) {
  const StageBench bench = run(op(Opcode::rsum, {kS}, kVector, {-1}));
  BOOST_TEST(bench.stage("MATH rsum").elements == 256U);
  BOOST_TEST(bench.stage("STORE rsum").bytes == 16U);
}

BOOST_AUTO_TEST_CASE(a_fill_has_no_fetch) {
  const StageBench bench = run(op(Opcode::fill, {}, kS, {0.0F}));
  BOOST_TEST(bench.all() == "MATH fill, STORE fill");
  BOOST_TEST(bench.stage("MATH fill").elements == 256U);
}

BOOST_AUTO_TEST_CASE(stages_name_their_command_their_op_and_their_place) {
  const StageBench bench = run(op(Opcode::max_elem, {kVector, kOther}, kVector));
  std::uint64_t number = 30;
  for (const Stage& stage : bench.history()) {
    BOOST_TEST(stage.command == 7U);
    BOOST_TEST(stage.op_index == 3U);
    BOOST_TEST(stage.number == number++);
    BOOST_TEST(!stage.has_tile);
  }
}

BOOST_AUTO_TEST_CASE(a_fetch_reads_the_inputs_and_a_store_writes_the_out) {
  const OpSpec spec = op(Opcode::max_elem, {kVector, kOther}, kS);
  const StageBench bench = run(spec);
  const StageRanges fetch = ranges_of(KernelOp::views_of(spec, bench.stage("FETCH max_elem")));
  BOOST_TEST_REQUIRE(fetch.read_count == 2U);
  BOOST_TEST((fetch.reads[0] == kVector.range()));
  BOOST_TEST((fetch.reads[1] == kOther.range()));
  BOOST_TEST(fetch.write_count == 0U);
  const StageRanges store = ranges_of(KernelOp::views_of(spec, bench.stage("STORE max_elem")));
  BOOST_TEST(store.read_count == 0U);
  BOOST_TEST_REQUIRE(store.write_count == 1U);
  BOOST_TEST((store.writes[0] == kS.range()));
}

BOOST_AUTO_TEST_SUITE_END()
