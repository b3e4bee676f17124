// SPDX-License-Identifier: Apache-2.0
#include "petal/pe_scheduler/chunk_loop.hpp"

#include <boost/test/unit_test.hpp>
#include <optional>

#include "command/sample_commands.hpp"
#include "model/stage_bench.hpp"

namespace {

using namespace petal;
using namespace petal::test;

/// Chunks of 4 x 4 elements.
PeSchedulerConfig chunks_of_16(std::uint32_t tile_buffers) {
  PeSchedulerConfig config;
  config.gemm_tile = {4, 64, 4};
  config.tile_buffers = tile_buffers;
  return config;
}

struct ChunkLoopBench {
  ChunkLoopBench(const OpSpec& streamed, std::uint32_t tile_buffers = 4)
      : config(chunks_of_16(tile_buffers)),
        spec(streamed),
        staging(config, TcmConfig{}),
        loop(config, staging, bench) {
    loop.load({7, 1}, {&spec, 2}, 100);
  }
  ChunkLoopBench(const ChunkLoopBench&) = delete;
  ChunkLoopBench& operator=(const ChunkLoopBench&) = delete;

  void begin() { loop.begin({}); }
  void end(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) bench.end(loop, text);
  }
  void run() {
    begin();
    bench.end_all(loop);
  }
  std::string bytes(StageKind kind) const {
    std::string text;
    for (const Stage& stage : bench.all_of(kind)) text += std::to_string(stage.bytes) + " ";
    return text;
  }

  const PeSchedulerConfig config;
  const OpSpec spec;
  const StagingLayout staging;
  StageBench bench;
  ChunkLoop loop;
};

// f16 [5, 8]: chunks of 16, 16 and 8 elements.
const TensorHandle kInHbm = in_hbm(0x1000, {5, 8});
const TensorHandle kInTcm = in_tcm(0x2000, {5, 8}, DType::f16);

}  // namespace

BOOST_AUTO_TEST_SUITE(chunk_loop)

BOOST_AUTO_TEST_CASE(a_chunk_is_read_fetched_worked_on_stored_and_written) {
  ChunkLoopBench bench(op(Opcode::exp, {kInHbm}, in_hbm(0x8000, {5, 8})), 1);
  bench.run();
  BOOST_TEST(
      bench.bench.all() ==
      "DMA_READ exp.src 0/0/0, FETCH exp 0/0/0, MATH exp 0/0/0, DMA_READ exp.src 1/0/0, STORE exp 0/0/0, "
      "DMA_WRITE exp 0/0/0, FETCH exp 1/0/0, MATH exp 1/0/0, DMA_READ exp.src 2/0/0, STORE exp 1/0/0, "
      "DMA_WRITE exp 1/0/0, FETCH exp 2/0/0, MATH exp 2/0/0, STORE exp 2/0/0, DMA_WRITE exp 2/0/0");
  BOOST_TEST(bench.loop.done());
}

BOOST_AUTO_TEST_CASE(every_stage_has_the_true_size_of_its_chunk) {
  ChunkLoopBench bench(op(Opcode::exp, {kInHbm}, in_hbm(0x8000, {5, 8}, DType::f32)));
  bench.run();
  for (const StageKind kind : {StageKind::dma_read, StageKind::fetch})
    BOOST_TEST(bench.bytes(kind) == "32 32 16 ");
  for (const StageKind kind : {StageKind::store, StageKind::dma_write})
    BOOST_TEST(bench.bytes(kind) == "64 64 32 ");
  std::string elements;
  for (const Stage& stage : bench.bench.all_of(StageKind::math))
    elements += std::to_string(stage.elements) + " ";
  BOOST_TEST(elements == "16 16 8 ");
  const Stage& last = bench.bench.stage("DMA_WRITE exp 2/0/0");
  BOOST_TEST(last.access.address == 0x8080U);  // 0x8000 + 32 * 4
  BOOST_TEST(last.access.bytes().count() == 32U);
}

BOOST_AUTO_TEST_CASE(an_out_in_tcm_is_stored_and_not_written) {
  ChunkLoopBench bench(op(Opcode::exp, {kInHbm}, kInTcm));
  bench.run();
  BOOST_TEST(bench.bench.all_of(StageKind::store).size() == 3U);
  BOOST_TEST(bench.bench.all_of(StageKind::dma_write).empty());
}

BOOST_AUTO_TEST_CASE(operands_in_tcm_get_no_dma_and_one_fetch_brings_all) {
  ChunkLoopBench bench(op(Opcode::add, {kInTcm, kInHbm}, kInTcm));
  bench.run();
  std::string reads;
  for (const Stage& stage : bench.bench.all_of(StageKind::dma_read)) reads += text_of(stage) + ", ";
  BOOST_TEST(reads == "DMA_READ add.other 0/0/0, DMA_READ add.other 1/0/0, DMA_READ add.other 2/0/0, ");
  BOOST_TEST(bench.bytes(StageKind::fetch) == "64 64 32 ");  // 16, 16 and 8 elements of two f16 operands
}

BOOST_AUTO_TEST_CASE(a_fetch_waits_for_all_operands_of_its_chunk) {
  ChunkLoopBench bench(op(Opcode::add, {kInHbm, in_hbm(0x4000, {5, 8})}, kInTcm), 1);
  bench.begin();
  BOOST_TEST(bench.bench.waiting() == "DMA_READ add.acc 0/0/0, DMA_READ add.other 0/0/0");
  bench.end({"DMA_READ add.other 0/0/0"});
  BOOST_TEST(bench.bench.waiting() == "DMA_READ add.acc 0/0/0");
  bench.end({"DMA_READ add.acc 0/0/0"});
  BOOST_TEST(bench.bench.waiting() == "FETCH add 0/0/0");
}

BOOST_AUTO_TEST_CASE(staging_slots_bound_the_reads_ahead_and_chunks_are_worked_on_one_by_one) {
  ChunkLoopBench bench(op(Opcode::exp, {kInHbm}, kInTcm), 2);
  bench.begin();
  BOOST_TEST(bench.bench.waiting() == "DMA_READ exp.src 0/0/0, DMA_READ exp.src 1/0/0");
  bench.end({"DMA_READ exp.src 0/0/0", "DMA_READ exp.src 1/0/0"});
  BOOST_TEST(bench.bench.waiting() == "FETCH exp 0/0/0");
  bench.end({"FETCH exp 0/0/0"});
  BOOST_TEST(bench.bench.waiting() == "MATH exp 0/0/0, DMA_READ exp.src 2/0/0");
  bench.end({"MATH exp 0/0/0"});
  BOOST_TEST(bench.bench.waiting() == "DMA_READ exp.src 2/0/0, STORE exp 0/0/0");
  bench.end({"STORE exp 0/0/0"});
  BOOST_TEST(bench.bench.waiting() == "DMA_READ exp.src 2/0/0, FETCH exp 1/0/0");
}

BOOST_AUTO_TEST_CASE(out_slots_bound_the_chunks_on_their_way_to_hbm) {
  ChunkLoopBench bench(op(Opcode::exp, {kInTcm}, in_hbm(0x8000, {5, 8})), 1);
  bench.begin();
  BOOST_TEST(bench.bench.waiting() == "FETCH exp 0/0/0");
  bench.end({"FETCH exp 0/0/0", "MATH exp 0/0/0", "STORE exp 0/0/0", "FETCH exp 1/0/0", "MATH exp 1/0/0"});
  BOOST_TEST(bench.bench.waiting() == "DMA_WRITE exp 0/0/0");
  bench.end({"DMA_WRITE exp 0/0/0"});
  BOOST_TEST(bench.bench.waiting() == "STORE exp 1/0/0");
}

BOOST_AUTO_TEST_CASE(the_loop_is_done_after_its_last_write) {
  ChunkLoopBench bench(op(Opcode::exp, {in_hbm(0x1000, {4, 4})}, in_hbm(0x8000, {4, 4})));
  bench.begin();
  bench.end({"DMA_READ exp.src 0/0/0", "FETCH exp 0/0/0", "MATH exp 0/0/0", "STORE exp 0/0/0"});
  BOOST_TEST(!bench.loop.done());
  bench.end({"DMA_WRITE exp 0/0/0"});
  BOOST_TEST(bench.loop.done());
}

// f16 [8, 4] in two chunks of four rows: each stores four of the eight sums.
BOOST_AUTO_TEST_CASE(a_chunk_of_a_reduction_stores_the_values_of_its_own_rows) {
  const TensorHandle sums = in_tcm(0x4000, {8});
  ChunkLoopBench bench(op(Opcode::rsum, {in_hbm(0x1000, {8, 4})}, sums, {-1}));
  bench.run();
  BOOST_TEST(bench.bytes(StageKind::dma_read) == "32 32 ");
  BOOST_TEST(bench.bytes(StageKind::store) == "16 16 ");
  const StageRanges second = ranges_of(bench.loop.views_of(bench.bench.stage("STORE rsum 1/0/0")));
  BOOST_TEST((second.writes[0] == ByteRange{Space::tcm, 0x4010, 0x4020}));
}

BOOST_AUTO_TEST_CASE(a_chunk_needs_the_row_values_of_its_own_rows) {
  const TensorHandle factors = in_hbm(0x4000, {8}, DType::f32);
  ChunkLoopBench bench(op(Opcode::mul_bcast, {in_hbm(0x1000, {8, 4}), factors}, in_tcm(0x8000, {8, 4}), {1}));
  bench.run();
  BOOST_TEST(bench.bytes(StageKind::dma_read) == "32 16 32 16 ");
  BOOST_TEST(bench.bytes(StageKind::fetch) == "48 48 ");
  BOOST_TEST(bench.bench.all_of(StageKind::dma_read)[3].access.address == 0x4010U);
}

// A chunk of a matrix with rows of one element has as many row values as elements, and they fit in its slot.
BOOST_AUTO_TEST_CASE(no_stage_moves_more_than_a_slot_holds) {
  ChunkLoopBench bench(op(Opcode::mul_bcast, {in_hbm(0x1000, {100, 1}), in_hbm(0x4000, {100}, DType::f32)},
                          in_tcm(0x8000, {100, 1}), {1}));
  bench.run();
  for (const Stage& stage : bench.bench.all_of(StageKind::dma_read)) BOOST_TEST(stage.bytes <= 64U);
}

BOOST_AUTO_TEST_CASE(without_elements_the_loop_is_done_at_once) {
  ChunkLoopBench bench(op(Opcode::exp, {in_hbm(0x1000, {0, 8})}, in_hbm(0x8000, {0, 8})));
  bench.begin();
  BOOST_TEST(bench.bench.waiting() == "");
  BOOST_TEST(bench.loop.done());
}

BOOST_AUTO_TEST_CASE(streamed_chunks_go_through_their_staging_slot) {
  ChunkLoopBench bench(op(Opcode::add, {kInTcm, kInHbm}, in_hbm(0x8000, {5, 8})));
  bench.run();
  const auto ranges = [&](const char* text) {
    return ranges_of(bench.loop.views_of(bench.bench.stage(text)));
  };
  const std::uint64_t slot = bench.staging.operand_address(1, 1, 1);
  const std::uint64_t out_slot = bench.staging.out_address(1, 1);
  const ByteRange staged{Space::tcm, slot, slot + 32};
  const ByteRange staged_out{Space::tcm, out_slot, out_slot + 32};
  BOOST_TEST((ranges("DMA_READ add.other 1/0/0").reads[0] == ByteRange{Space::hbm, 0x1020, 0x1040}));
  BOOST_TEST((ranges("DMA_READ add.other 1/0/0").writes[0] == staged));
  BOOST_TEST((ranges("FETCH add 1/0/0").reads[0] == ByteRange{Space::tcm, 0x2020, 0x2040}));
  BOOST_TEST((ranges("FETCH add 1/0/0").reads[1] == staged));
  BOOST_TEST((ranges("STORE add 1/0/0").writes[0] == staged_out));
  BOOST_TEST((ranges("DMA_WRITE add 1/0/0").reads[0] == staged_out));
  BOOST_TEST((ranges("DMA_WRITE add 1/0/0").writes[0] == ByteRange{Space::hbm, 0x8020, 0x8040}));
}

BOOST_AUTO_TEST_SUITE_END()
