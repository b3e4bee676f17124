// SPDX-License-Identifier: Apache-2.0
#include "petal/pe_scheduler/command_run.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <set>

#include "command/sample_commands.hpp"
#include "model/tile_loop_bench.hpp"

namespace {

using namespace petal;
using namespace petal::test;

class RunBench {
 public:
  explicit RunBench(const PeSchedulerConfig& scheduler = {})
      : config_(scheduler), staging_(config_, TcmConfig{}), run(3, config_, staging_, bench) {}
  RunBench(const RunBench&) = delete;
  RunBench& operator=(const RunBench&) = delete;

  /// Takes ops [first, last) of `command`; the whole of it by default.
  void load(const PeCommand& command, std::uint32_t first = 0, std::uint32_t last = 1000) {
    CommandSlice slice;
    slice.command = std::make_shared<const PeCommand>(command);
    slice.completion = 12;
    if (const auto* const composite = std::get_if<CompositeCmd>(&command)) {
      slice.first_op = first;
      slice.last_op = std::min(last, static_cast<std::uint32_t>(composite->ops.size()));
    }
    run.load(slice, Picoseconds(500));
  }
  void begin() { run.begin({}); }
  void end(const std::string& text) { bench.end(run, text); }
  void finish() { bench.end_all(run); }
  void run_through(const PeCommand& command, std::uint32_t first = 0, std::uint32_t last = 1000) {
    load(command, first, last);
    begin();
    finish();
  }

 private:
  const PeSchedulerConfig config_;
  const StagingLayout staging_;

 public:
  StageBench bench;
  CommandRun run;
};

CompositeCmd composite_of(std::vector<OpSpec> ops) {
  CompositeCmd command;
  command.ops = std::move(ops);
  return command;
}

const TensorHandle kX = in_tcm(0x000, {4, 4});
const TensorHandle kY = in_tcm(0x100, {4, 4});
const TensorHandle kZ = in_tcm(0x200, {4, 4});

}  // namespace

BOOST_AUTO_TEST_SUITE(command_run)

// --- Primitives ---

BOOST_AUTO_TEST_CASE(a_dma_primitive_is_one_stage_of_the_hbm_sides_bytes) {
  DmaReadCmd read;
  read.src = transposed(in_hbm(0x1000, {16, 32}));
  read.dst = in_tcm(0x100, {32, 16}, DType::f16);
  RunBench bench;
  bench.load(read);
  bench.begin();
  BOOST_TEST(bench.bench.waiting() == "DMA_READ");
  const Stage& stage = bench.bench.history().front();
  BOOST_TEST(stage.bytes == 1024U);
  BOOST_TEST(stage.access.address == 0x1000U);
  BOOST_TEST(stage.access.run_bytes == 1024U);
  BOOST_TEST((bench.run.op_name_of(stage) == "dma_read"));
  const StageRanges ranges = ranges_of(bench.run.views_of(stage));
  BOOST_TEST((ranges.reads[0] == ByteRange{Space::hbm, 0x1000, 0x1400}));
  BOOST_TEST((ranges.writes[0] == ByteRange{Space::tcm, 0x100, 0x500}));
  bench.finish();
  BOOST_TEST(bench.run.done());
}

BOOST_AUTO_TEST_CASE(a_dma_write_accesses_its_destination) {
  DmaWriteCmd write;
  write.src = in_tcm(0x100, {4, 8}, DType::f16);
  write.dst = in_hbm(0x1000, {4, 8});
  write.dst.strides = {32, 1};
  RunBench bench;
  bench.load(write);
  bench.begin();
  BOOST_TEST(bench.bench.waiting() == "DMA_WRITE");
  BOOST_TEST(bench.bench.history().front().bytes == 64U);
  BOOST_TEST(bench.bench.history().front().access.run_bytes == 16U);
  BOOST_TEST((bench.bench.history().front().access.levels[0] == AccessPattern::Level{4, 64}));
}

BOOST_AUTO_TEST_CASE(a_primitive_gemm_fetches_multiplies_and_stores) {
  GemmCmd gemm;
  gemm.a = kX;
  gemm.b = kY;
  gemm.out = kZ;
  gemm.m = gemm.k = gemm.n = 4;
  RunBench bench;
  bench.run_through(gemm);
  BOOST_TEST(bench.bench.all() == "FETCH a 0/0/0, FETCH b 0/0/0, GEMM 0/0/0, STORE 0/0/0");
  BOOST_TEST(bench.run.done());
  BOOST_TEST(bench.run.op_count() == 1U);
}

BOOST_AUTO_TEST_CASE(a_primitive_math_command_is_one_kernel_op) {
  RunBench bench;
  bench.run_through(merge_commands()[3]);
  BOOST_TEST(bench.bench.all() == "FETCH exp_diff, MATH exp_diff, STORE exp_diff");
  BOOST_TEST(bench.run.done());
}

BOOST_AUTO_TEST_CASE(a_fill_has_nothing_to_fetch) {
  MathCmd fill;
  fill.kind = Opcode::fill;
  fill.extras = {0.0F};
  fill.out = kX;
  RunBench bench;
  bench.run_through(fill);
  BOOST_TEST(bench.bench.all() == "MATH fill, STORE fill");
}

// --- Composites ---

// Decode opt2's second composite: V is 64 x 128, so P.V has four column tiles and one K step.
BOOST_AUTO_TEST_CASE(prologue_ops_run_strictly_in_order_before_any_dma_of_the_gemm) {
  RunBench bench;
  bench.load(merge_values_composite());
  bench.begin();
  for (const std::string op :
       {"rmax", "max_elem", "exp_diff", "exp_diff", "rsum", "fma", "mul_bcast", "copy"}) {
    for (const std::string kind : {"FETCH ", "MATH ", "STORE "}) {
      BOOST_TEST(bench.bench.waiting() == kind + op);
      bench.end(kind + op);
    }
  }
  BOOST_TEST(bench.bench.waiting() ==
             "DMA_READ b 0/0/0, DMA_READ b 0/1/0, DMA_READ b 0/2/0, DMA_READ b 0/3/0, FETCH a 0/0/0");
  bench.finish();
  BOOST_TEST(bench.run.done());
  BOOST_TEST(bench.run.op_count() == 10U);
  BOOST_TEST(bench.bench.all_of(StageKind::dma_read).size() == 4U);
  BOOST_TEST(bench.bench.all_of(StageKind::gemm).size() == 4U);
  BOOST_TEST(bench.bench.all_of(StageKind::math).size() == 12U);   // 8 + an add a tile
  BOOST_TEST(bench.bench.all_of(StageKind::store).size() == 12U);  // 8 + one a tile
}

BOOST_AUTO_TEST_CASE(a_kernel_op_after_the_gemm_starts_when_the_last_tile_is_stored) {
  const OpSpec gemm = gemm_op(in_tcm(0, {4, 4}), in_tcm(0x100, {4, 8}), in_tcm(0x400, {4, 8}));
  RunBench bench(tiles_of({4, 4, 4}));
  bench.run_through(composite_of({gemm, op(Opcode::relu, {*gemm.out}, *gemm.out, {}, Scope::output_tile),
                                  op(Opcode::rmax, {*gemm.out}, in_tcm(0x800, {4}), {-1})}));
  BOOST_TEST(bench.bench.all() ==
             "FETCH a 0/0/0, FETCH b 0/0/0, FETCH a 0/1/0, GEMM 0/0/0, FETCH b 0/1/0, MATH relu 0/0/0, "
             "STORE 0/0/0, GEMM 0/1/0, MATH relu 0/1/0, STORE 0/1/0, FETCH rmax, MATH rmax, STORE rmax");
  BOOST_TEST(bench.run.done());
}

BOOST_AUTO_TEST_CASE(a_kernel_op_after_an_out_in_hbm_waits_for_its_write) {
  const OpSpec gemm = gemm_op(in_tcm(0, {4, 4}), in_tcm(0x100, {4, 4}), in_hbm(0x400, {4, 4}));
  RunBench bench(tiles_of({4, 4, 4}));
  bench.run_through(composite_of({gemm, op(Opcode::relu, {kX}, kY)}));
  BOOST_TEST(bench.bench.all() ==
             "FETCH a 0/0/0, FETCH b 0/0/0, GEMM 0/0/0, STORE 0/0/0, DMA_WRITE 0/0/0, FETCH relu, MATH relu, "
             "STORE relu");
}

BOOST_AUTO_TEST_CASE(without_a_gemm_all_ops_run_once_in_order) {
  RunBench bench;
  bench.run_through(composite_of({op(Opcode::neg, {kX}, kY), op(Opcode::relu, {kY}, kZ)}));
  BOOST_TEST(bench.bench.all() == "FETCH neg, MATH neg, STORE neg, FETCH relu, MATH relu, STORE relu");
}

BOOST_AUTO_TEST_CASE(a_math_op_on_hbm_operands_streams_and_the_next_op_waits_for_it) {
  RunBench bench;
  bench.run_through(
      composite_of({op(Opcode::exp, {in_hbm(0x1000, {4, 4})}, kX), op(Opcode::relu, {kX}, kY)}));
  BOOST_TEST(
      bench.bench.all() ==
      "DMA_READ exp.src 0/0/0, FETCH exp 0/0/0, MATH exp 0/0/0, STORE exp 0/0/0, FETCH relu, MATH relu, "
      "STORE relu");
  BOOST_TEST(bench.run.done());
}

// --- Slices and empty work ---

BOOST_AUTO_TEST_CASE(a_slice_runs_its_own_ops_only) {
  RunBench bench;
  bench.run_through(merge_values_composite(), 2, 4);
  BOOST_TEST(bench.bench.all() ==
             "FETCH exp_diff, MATH exp_diff, STORE exp_diff, FETCH exp_diff, MATH exp_diff, STORE exp_diff");
  BOOST_TEST(bench.bench.history().front().op_index == 2U);
  BOOST_TEST(bench.bench.history().back().op_index == 3U);
  BOOST_TEST(bench.run.op_count() == 2U);
  BOOST_TEST(bench.run.done());
}

BOOST_AUTO_TEST_CASE(a_slice_of_the_header_alone_completes_at_once) {
  RunBench bench;
  bench.load(merge_values_composite(), 0, 0);
  bench.begin();
  BOOST_TEST(bench.run.done());
  BOOST_TEST(bench.bench.waiting() == "");
}

BOOST_AUTO_TEST_CASE(a_gemm_without_rows_completes_at_once) {
  RunBench bench;
  bench.load(composite_of({gemm_op(in_hbm(0, {0, 4}), in_hbm(0x100, {4, 4}), in_hbm(0x200, {0, 4}))}));
  bench.begin();
  BOOST_TEST(bench.run.done());
  BOOST_TEST(bench.bench.waiting() == "");
}

BOOST_AUTO_TEST_CASE(the_ops_after_an_empty_gemm_still_run) {
  RunBench bench;
  bench.run_through(composite_of({gemm_op(in_tcm(0, {4, 4}), in_tcm(0x100, {4, 0}), in_tcm(0x200, {4, 0})),
                                  op(Opcode::relu, {kX}, kY)}));
  BOOST_TEST(bench.bench.all() == "FETCH relu, MATH relu, STORE relu");
  BOOST_TEST(bench.run.done());
}

BOOST_AUTO_TEST_CASE(a_gemm_without_k_stores_its_tiles_with_their_epilogue) {
  const OpSpec gemm = gemm_op(in_hbm(0, {4, 0}), in_hbm(0x100, {0, 4}), kZ);
  RunBench bench(tiles_of({4, 4, 4}));
  bench.run_through(composite_of({gemm, op(Opcode::add, {kZ, kZ}, kZ, {}, Scope::output_tile)}));
  BOOST_TEST(bench.bench.all() == "FETCH add 0/0/0, MATH add 0/0/0, STORE 0/0/0");
  BOOST_TEST(bench.run.done());
}

// --- Bookkeeping ---

BOOST_AUTO_TEST_CASE(stage_numbers_are_unique_and_grow_from_op_to_op) {
  CompositeCmd command = merge_values_composite();
  command.ops.push_back(op(Opcode::relu, {kX}, kY));
  RunBench bench;
  bench.run_through(command);
  std::set<std::uint64_t> numbers;
  std::map<std::uint32_t, std::pair<std::uint64_t, std::uint64_t>> span_of_op;  // the tile loop's ops are one
  for (const Stage& stage : bench.bench.history()) {
    BOOST_TEST(stage.command == 12U);
    BOOST_TEST(stage.run == 3U);
    numbers.insert(stage.number);
    const std::uint32_t op = stage.op_index == 9 ? 8 : stage.op_index;
    auto& [first, last] = span_of_op.try_emplace(op, stage.number, stage.number).first->second;
    first = std::min(first, stage.number);
    last = std::max(last, stage.number);
  }
  BOOST_TEST_REQUIRE(span_of_op.size() == 10U);
  for (auto op = std::next(span_of_op.begin()); op != span_of_op.end(); ++op)
    BOOST_TEST(std::prev(op)->second.second < op->second.first);
  BOOST_TEST(numbers.size() == bench.bench.history().size());
}

BOOST_AUTO_TEST_CASE(a_retired_run_is_idle_and_takes_another_command) {
  RunBench bench;
  BOOST_TEST(bench.run.idle());
  bench.run_through(merge_values_composite());
  BOOST_TEST(!bench.run.idle());
  BOOST_TEST(bench.run.taken().count() == 500);
  bench.run.retire();
  BOOST_TEST(bench.run.idle());
  const std::size_t before = bench.bench.history().size();
  bench.run_through(merge_commands()[0]);
  BOOST_TEST(bench.bench.history().size() == before + 3);
  BOOST_TEST(bench.bench.history()[before].number == 0U);
  BOOST_TEST(bench.run.done());
}

BOOST_AUTO_TEST_CASE(stages_are_named_after_their_op) {
  RunBench bench;
  bench.run_through(values_composite());
  BOOST_TEST((bench.run.op_name_of(bench.bench.stage("GEMM 0/0/0")) == "gemm"));
  BOOST_TEST((bench.run.op_name_of(bench.bench.stage("MATH add 0/0/0")) == "add"));
}

BOOST_AUTO_TEST_SUITE_END()
