// SPDX-License-Identifier: Apache-2.0
//
// ADR-0065 D1 to D3 in a run: which stages a composite becomes, and in what order.
#include <boost/test/unit_test.hpp>

#include "petal/command/error.hpp"
#include "simulation/decode_tensors.hpp"
#include "support/kernel_bench.hpp"

using namespace petal;
using namespace petal::test;

namespace {

using Names = std::vector<std::string>;

/// relu(A[40, 72] x B[72, 96]) to HBM by the old form: op, a, b, epilogue, out_ptr.
void old_form(TlContext& tl) {
  CompositeRequest request;
  request.a = tl.ref(0x0, {40, 72}, DType::f16);
  request.b = tl.ref(0x2000, {72, 96}, DType::f16);
  request.epilogue = {CompositeEntry("relu")};
  request.out_ptr = 0x6000;
  tl.composite(request);
}

/// The flat command that the record says it is, written down by hand.
void flat_form(CommandSink& sink) {
  const TensorHandle out = dense_tensor(Space::hbm, 0x6000, {40, 96}, DType::f32);
  OpSpec gemm;
  gemm.kind = Opcode::gemm;
  gemm.operands = {dense_tensor(Space::hbm, 0x0, {40, 72}, DType::f16),
                   dense_tensor(Space::hbm, 0x2000, {72, 96}, DType::f16)};
  gemm.extras = {std::int32_t{40}, std::int32_t{72}, std::int32_t{96}};
  gemm.out = out;
  OpSpec relu;
  relu.kind = Opcode::relu;
  relu.scope = Scope::output_tile;
  relu.operands = {out};
  relu.out = out;
  CompositeCmd composite;
  composite.completion = 1;
  composite.ops = {gemm, relu};
  composite.rw_handles = {out};
  IssueRequest request;
  request.is_primitive = false;
  request.slice.command = std::make_shared<const PeCommand>(composite);
  request.slice.completion = 1;
  request.slice.logical_bytes = logical_bytes(*request.slice.command);
  request.slice.last_op = 2;
  sink.issue(request);
}

/// The names in the order in which MATH and GEMM stages start.
Names compute_order(const EventLog& log, CompletionId command) {
  Names names;
  for (const LoggedStage& stage : log.stages_of(command))
    if (stage.kind == StageKind::math || stage.kind == StageKind::gemm) names.push_back(stage.op);
  return names;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(composite_placement)

// ADR-0065 test 1: not only the same sequence, but the same log to the byte.
BOOST_AUTO_TEST_CASE(the_old_form_gives_the_stages_of_the_flat_form) {
  KernelBench old;
  old.launch(old_form);
  KernelBench flat;
  flat.launch_program(flat_form);
  simulate();
  // 2 x 2 x 3 steps of two reads, two fetches and a GEMM; 2 x 3 tiles of relu, STORE and DMA_WRITE.
  BOOST_TEST(old.log().stages_of(1).size() == 12U * 5U + 6U * 3U);
  BOOST_TEST(names_in_plan_order(old.log().stages_of(1)) == names_in_plan_order(flat.log().stages_of(1)),
             boost::test_tools::per_element());
  BOOST_TEST(old.op_log() == flat.op_log());
  require_no_violations(old.op_log());
}

// ADR-0065 test 2 and D3: the recipe's eight ops once, in order, each FETCH, MATH, STORE; then the GEMM; then
// the add on its accumulator, which has no STORE of its own.
BOOST_AUTO_TEST_CASE(the_recipe_runs_before_the_tile_loop_and_the_epilogue_in_it) {
  KernelBench bench;
  bench.launch([](TlContext& tl) { DecodeTensors(tl).issue_second_composite(tl); });
  simulate();
  const EventLog& log = bench.log();
  BOOST_TEST(log.dispatch_of(1).logical_bytes == 322U);
  Names expected;
  for (const char* const op :
       {"rmax", "max_elem", "exp_diff", "exp_diff", "rsum", "fma", "mul_bcast", "copy"})
    for (const char* const kind : {"FETCH ", "MATH ", "STORE "}) expected.push_back(std::string(kind) + op);
  // One tile: 8 keys x 16 values. The a operand, P, is in TCM; b, V, is streamed.
  for (const char* const stage :
       {"DMA_READ gemm", "FETCH gemm", "FETCH gemm", "GEMM gemm", "FETCH add", "MATH add", "STORE gemm"})
    expected.emplace_back(stage);
  BOOST_TEST(names_in_plan_order(log.stages_of(1)) == expected, boost::test_tools::per_element());
  BOOST_TEST(compute_order(log, 1) == (Names{"rmax", "max_elem", "exp_diff", "exp_diff", "rsum", "fma",
                                             "mul_bcast", "copy", "gemm", "add"}),
             boost::test_tools::per_element());
  require_no_violations(bench.op_log());
}

// ADR-0065 test 3, D4: V is not prefetched. On an idle PE its first DMA_READ starts when the prologue has
// ended, to the picosecond.
BOOST_AUTO_TEST_CASE(v_is_not_read_during_the_prologue) {
  KernelBench bench;
  bench.launch([](TlContext& tl) { DecodeTensors(tl, 0x1000, 128, 64).issue_second_composite(tl); });
  simulate();
  std::int64_t prologue_end = 0;
  for (const LoggedStage& stage : bench.log().stages_of(1, StageKind::store))
    if (stage.op_index < 8) prologue_end = std::max(prologue_end, stage.end_ps);
  const std::vector<LoggedStage> reads = bench.log().stages_of(1, StageKind::dma_read);
  BOOST_TEST(reads.size() == 4U);  // K: 128 / 64, N: 64 / 32
  BOOST_TEST(reads.front().start_ps == prologue_end);
  for (const LoggedStage& read : reads) BOOST_TEST(read.start_ps >= prologue_end);
}

// F01: out = O and an add of O. N and K each take two tiles: for each O tile the old values are fetched
// before the one STORE that replaces them.
BOOST_AUTO_TEST_CASE(an_add_of_the_output_reads_the_old_tile_before_the_store) {
  PlatformConfig config;
  config.pes.front().scheduler.gemm_tile = {1, 4, 2};
  KernelBench bench(config);
  bench.launch([](TlContext& tl) { DecodeTensors(tl, 0x1000, 8, 4).issue_second_composite(tl); });
  simulate();
  std::map<std::pair<std::uint64_t, std::uint64_t>, const LoggedStage*> old_reads;
  std::size_t stores = 0;
  const std::vector<LoggedStage> stages = bench.log().stages_of(1);
  for (const LoggedStage& stage : stages)
    if (stage.kind == StageKind::fetch && stage.op == "add") {
      BOOST_TEST(old_reads.emplace(std::make_pair(stage.tile.m, stage.tile.n), &stage).second);
      BOOST_TEST(stage.bytes == 2U * 4U);  // one row of two f32
    }
  for (const LoggedStage& stage : stages) {
    if (stage.kind != StageKind::store || stage.op != "gemm") continue;
    ++stores;
    const LoggedStage* const read = old_reads.at({stage.tile.m, stage.tile.n});
    BOOST_TEST(read->end_ps <= stage.start_ps);
    BOOST_TEST((read->reads.front() == stage.writes.front()));
  }
  BOOST_TEST(old_reads.size() == 8U);  // 4 rows x 2 tiles of columns
  BOOST_TEST(stores == 8U);
  BOOST_TEST(bench.log().stages_of(1, StageKind::gemm).size() == 16U);
  require_no_violations(bench.op_log());
}

// D3: a K_TILE op follows the GEMM of each K tile, an OUTPUT_TILE op the last one's, a KERNEL op the whole
// loop.
BOOST_AUTO_TEST_CASE(scopes_after_the_gemm_say_how_often_an_op_runs) {
  KernelBench bench;
  bench.launch([](TlContext& tl) {
    CompositeRequest request;
    request.a = tl.empty({32, 128}, DType::f16);
    request.b = tl.empty({128, 64}, DType::f16);
    request.out = tl.empty({32, 64});
    CompositeEntry per_k_tile("relu");
    per_k_tile.scope = Scope::k_tile;
    CompositeEntry once("exp");
    once.scope = Scope::kernel;
    request.epilogue = {per_k_tile, CompositeEntry("neg"), once};
    tl.composite(request);
  });
  simulate();
  BOOST_TEST(compute_order(bench.log(), 1) == (Names{"gemm", "relu", "gemm", "relu", "neg",  //
                                                     "gemm", "relu", "gemm", "relu", "neg", "exp"}),
             boost::test_tools::per_element());
  // The KERNEL op reads the stored result of all tiles.
  const std::vector<LoggedStage> stores = bench.log().stages_of(1, StageKind::store);
  BOOST_TEST_REQUIRE(stores.size() == 3U);
  for (const LoggedStage& fetch : bench.log().stages_of(1, StageKind::fetch))
    if (fetch.op == "exp") BOOST_TEST(fetch.start_ps >= stores[1].end_ps);
  require_no_violations(bench.op_log());
}

// ADR-0065 test 8: more than one GEMM. The host refuses it; nothing of it was issued, what came before was.
BOOST_AUTO_TEST_CASE(a_second_gemm_stops_the_run_with_an_emit_error) {
  KernelBench bench;
  bench.launch([](TlContext& tl) {
    gemm_in_tcm(tl, 4, 8, 4);
    CompositeRequest request;
    request.a = tl.empty({4, 8}, DType::f16);
    request.b = tl.empty({8, 4}, DType::f16);
    request.epilogue = {CompositeEntry("gemm")};
    tl.composite(request);
  });
  simulate();
  BOOST_CHECK_THROW(bench.platform().finish(), EmitError);
  BOOST_TEST(bench.log().dispatches.size() <= 1U);
}

// ADR-0065 test 10: `a` given beside a recipe whose primary out is to be the GEMM's a.
BOOST_AUTO_TEST_CASE(a_beside_a_recipe_with_a_primary_out_stops_the_run_with_an_emit_error) {
  KernelBench bench;
  bench.launch([](TlContext& tl) {
    const DecodeTensors tensors(tl);
    CompositeRequest request;
    request.prologue = {CompositeEntry(
        "softmax_merge", {{"s", tensors.s}, {"m", tensors.m}, {"l", tensors.l}, {"O", tensors.o}})};
    request.a = tl.empty({4, 8});
    request.b = tensors.v;
    tl.composite(request);
  });
  simulate();
  BOOST_CHECK_THROW(bench.platform().finish(), EmitError);
  BOOST_TEST(bench.log().dispatches.empty());
}

// ADR-0065 test 11, first half.
BOOST_AUTO_TEST_CASE(a_math_head_on_hbm_stops_the_run_with_an_error_that_names_the_knob) {
  KernelBench bench;
  bench.launch([](TlContext& tl) {
    CompositeRequest request;
    request.op = "math";
    request.math_op = "exp";
    request.a = tl.ref(0, {4, 8}, DType::f16);
    tl.composite(request);
  });
  simulate();
  BOOST_CHECK_EXCEPTION(bench.platform().finish(), EmitError, [](const EmitError& error) {
    return std::string(error.what()).find("math_head_streaming") != std::string::npos;
  });
  BOOST_TEST(bench.log().dispatches.empty());
}

// ADR-0065 test 11, second half. 40 x 64 f16 elements in chunks of 32 x 32: 1024, 1024 and 512.
BOOST_AUTO_TEST_CASE(a_math_head_on_hbm_streams_in_chunks_with_the_knob) {
  PlatformConfig config;
  config.pes.front().scheduler.math_head_streaming = true;
  KernelBench bench(config);
  bench.launch([](TlContext& tl) {
    CompositeRequest request;
    request.op = "math";
    request.math_op = "exp";
    request.a = tl.ref(0x1000, {40, 64}, DType::f16);
    request.out = tl.ref(0x8000, {40, 64}, DType::f16);
    tl.composite(request);
  });
  simulate();
  Names expected;
  for (int chunk = 0; chunk < 3; ++chunk)
    for (const char* const stage : {"DMA_READ exp", "FETCH exp", "MATH exp", "STORE exp", "DMA_WRITE exp"})
      expected.emplace_back(stage);
  BOOST_TEST(names_in_plan_order(bench.log().stages_of(1)) == expected, boost::test_tools::per_element());
  const std::uint64_t chunks[] = {1024, 1024, 512};
  for (const StageKind kind :
       {StageKind::dma_read, StageKind::fetch, StageKind::store, StageKind::dma_write}) {
    const std::vector<LoggedStage> stages = bench.log().stages_of(1, kind);
    BOOST_TEST_REQUIRE(stages.size() == 3U);
    for (std::size_t i = 0; i < 3; ++i) BOOST_TEST(stages[i].bytes == 2 * chunks[i]);
  }
  require_no_violations(bench.op_log());
}

BOOST_AUTO_TEST_SUITE_END()
