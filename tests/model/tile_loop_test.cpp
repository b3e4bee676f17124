// SPDX-License-Identifier: Apache-2.0
#include "petal/pe_scheduler/tile_loop.hpp"

#include <boost/test/unit_test.hpp>
#include <map>
#include <set>

#include "model/address_walk.hpp"
#include "model/tile_loop_bench.hpp"

namespace {

using namespace petal;
using namespace petal::test;

constexpr GemmTile kTile{4, 4, 4};

TensorHandle a_in(Space space, std::uint64_t m, std::uint64_t k) {
  return dense_tensor(space, 0x1000, {m, k}, DType::f16);
}
TensorHandle b_in(Space space, std::uint64_t k, std::uint64_t n) {
  return dense_tensor(space, 0x2000, {k, n}, DType::f16);
}
TensorHandle out_in(Space space, std::uint64_t m, std::uint64_t n) {
  return dense_tensor(space, 0x3000, {m, n}, DType::f32);
}

/// A GEMM of m x k x n with everything in TCM.
OpSpec gemm_in_tcm(std::uint64_t m, std::uint64_t k, std::uint64_t n) {
  return gemm_op(a_in(Space::tcm, m, k), b_in(Space::tcm, k, n), out_in(Space::tcm, m, n));
}
OpSpec gemm_from_hbm(std::uint64_t m, std::uint64_t k, std::uint64_t n) {
  return gemm_op(a_in(Space::hbm, m, k), b_in(Space::hbm, k, n), out_in(Space::tcm, m, n));
}
OpSpec gemm_to_hbm(std::uint64_t m, std::uint64_t k, std::uint64_t n) {
  return gemm_op(a_in(Space::tcm, m, k), b_in(Space::tcm, k, n), out_in(Space::hbm, m, n));
}

/// `out = out + other` for every output tile of `gemm`.
OpSpec add_other(const OpSpec& gemm, const TensorHandle& other) {
  return op(Opcode::add, {*gemm.out, other}, *gemm.out, {}, Scope::output_tile);
}
OpSpec relu_of(const OpSpec& gemm, Scope scope) {
  return op(Opcode::relu, {*gemm.out}, *gemm.out, {}, scope);
}

std::vector<std::string> fetches(const std::string& tile) {
  return {"FETCH a " + tile, "FETCH b " + tile};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tile_loop)

// --- DMA ---

BOOST_AUTO_TEST_CASE(operands_in_tcm_get_no_dma) {
  TileLoopBench bench(tiles_of(kTile), {gemm_in_tcm(4, 4, 4)});
  bench.run();
  BOOST_TEST(bench.bench.all() == "FETCH a 0/0/0, FETCH b 0/0/0, GEMM 0/0/0, STORE 0/0/0");
  BOOST_TEST(bench.loop.done());
}

BOOST_AUTO_TEST_CASE(only_the_operand_in_hbm_is_read) {
  TileLoopBench only_b(tiles_of(kTile),
                       {gemm_op(a_in(Space::tcm, 4, 4), b_in(Space::hbm, 4, 4), out_in(Space::tcm, 4, 4))});
  only_b.begin();
  BOOST_TEST(only_b.waiting() == "DMA_READ b 0/0/0, FETCH a 0/0/0");
  TileLoopBench only_a(tiles_of(kTile),
                       {gemm_op(a_in(Space::hbm, 4, 4), b_in(Space::tcm, 4, 4), out_in(Space::tcm, 4, 4))});
  only_a.begin();
  BOOST_TEST(only_a.waiting() == "DMA_READ a 0/0/0");
}

BOOST_AUTO_TEST_CASE(a_fetch_waits_for_its_own_operands_dma_and_a_goes_before_b) {
  TileLoopBench bench(tiles_of(kTile), {gemm_from_hbm(4, 4, 4)});
  bench.begin();
  BOOST_TEST(bench.waiting() == "DMA_READ a 0/0/0, DMA_READ b 0/0/0");
  bench.end("DMA_READ b 0/0/0");
  BOOST_TEST(bench.waiting() == "DMA_READ a 0/0/0");
  bench.end("DMA_READ a 0/0/0");
  BOOST_TEST(bench.waiting() == "FETCH a 0/0/0");
  bench.end("FETCH a 0/0/0");
  BOOST_TEST(bench.waiting() == "FETCH b 0/0/0");
  bench.end("FETCH b 0/0/0");
  BOOST_TEST(bench.waiting() == "GEMM 0/0/0");
}

BOOST_AUTO_TEST_CASE(staging_slots_bound_the_reads_ahead_and_are_free_when_the_step_is_fetched) {
  TileLoopBench bench(tiles_of(kTile, 2), {gemm_from_hbm(4, 20, 4)});  // five steps
  bench.begin();
  const std::string first_two = "DMA_READ a 0/0/0, DMA_READ b 0/0/0, DMA_READ a 0/0/1, DMA_READ b 0/0/1";
  BOOST_TEST(bench.waiting() == first_two);
  bench.end(
      {"DMA_READ a 0/0/0", "DMA_READ b 0/0/0", "DMA_READ a 0/0/1", "DMA_READ b 0/0/1", "FETCH a 0/0/0"});
  BOOST_TEST(bench.waiting() == "FETCH b 0/0/0");
  bench.end("FETCH b 0/0/0");
  BOOST_TEST(bench.waiting() == "DMA_READ a 0/0/2, DMA_READ b 0/0/2, FETCH a 0/0/1, GEMM 0/0/0");
}

BOOST_AUTO_TEST_CASE(each_step_reads_its_tile_anew_with_its_true_bytes) {
  // m, k, n = 5, 6, 7 in tiles of 4: a is read for each of 2 column tiles, b for each of 2 row tiles.
  TileLoopBench bench(tiles_of(kTile), {gemm_from_hbm(5, 6, 7)});
  bench.run();
  std::uint64_t a_bytes = 0;
  std::uint64_t b_bytes = 0;
  for (const Stage& stage : bench.bench.all_of(StageKind::dma_read)) {
    (stage.operand == 0 ? a_bytes : b_bytes) += stage.bytes;
    BOOST_TEST(stage.access.bytes().count() == stage.bytes);
  }
  BOOST_TEST(a_bytes == 120U);  // 5*6*2 * 2
  BOOST_TEST(b_bytes == 168U);  // 6*7*2 * 2
  BOOST_TEST(bytes_of(bench.bench.all_of(StageKind::fetch)) == 288U);
  BOOST_TEST(bench.bench.stage("DMA_READ a 1/0/1").bytes == 4U);   // 1 x 2
  BOOST_TEST(bench.bench.stage("DMA_READ b 1/1/1").bytes == 12U);  // 2 x 3
}

// K [64, 128] is stored by rows of 256 bytes; b = trans(K) is [128, 64]. A 64 x 32 tile of b is 64 columns of
// 32 rows.
BOOST_AUTO_TEST_CASE(a_transposed_operand_moves_the_rows_of_the_stored_tile) {
  const TensorHandle k = dense_tensor(Space::hbm, 0x10000, {64, 128}, DType::f16);
  TileLoopBench bench(tiles_of({32, 64, 32}),
                      {gemm_op(a_in(Space::tcm, 4, 128), transposed(k), out_in(Space::tcm, 4, 64))});
  bench.run();
  const Stage& stage = bench.bench.stage("DMA_READ b 0/1/1");
  BOOST_TEST(stage.bytes == 4096U);
  BOOST_TEST(stage.access.address == 0x10000U + 32 * 256 + 64 * 2);
  BOOST_TEST(stage.access.run_bytes == 128U);
  BOOST_TEST((stage.access.levels[0] == AccessPattern::Level{32, 256}));
}

// --- FETCH ahead of GEMM ---

BOOST_AUTO_TEST_CASE(the_next_steps_operands_are_fetched_during_a_gemm_and_the_one_after_nexts_are_not) {
  TileLoopBench bench(tiles_of(kTile), {gemm_in_tcm(4, 16, 4)});  // four steps
  bench.begin();
  bench.end(fetches("0/0/0"));
  BOOST_TEST(bench.waiting() == "FETCH a 0/0/1, GEMM 0/0/0");
  bench.end(fetches("0/0/1"));
  BOOST_TEST(bench.waiting() == "GEMM 0/0/0");
  bench.end("GEMM 0/0/0");
  BOOST_TEST(bench.waiting() == "FETCH a 0/0/2, GEMM 0/0/1");
}

BOOST_AUTO_TEST_CASE(a_gemm_waits_for_both_of_its_fetches) {
  TileLoopBench bench(tiles_of(kTile), {gemm_in_tcm(4, 8, 4)});
  bench.begin();
  bench.end(fetches("0/0/0"));
  bench.end("GEMM 0/0/0");
  BOOST_TEST(bench.waiting() == "FETCH a 0/0/1");
  bench.end("FETCH a 0/0/1");
  BOOST_TEST(bench.waiting() == "FETCH b 0/0/1");
  bench.end("FETCH b 0/0/1");
  BOOST_TEST(bench.waiting() == "GEMM 0/0/1");
}

BOOST_AUTO_TEST_CASE(the_wider_operand_sets_the_rate) {
  BOOST_TEST((wider(DType::f32, DType::f16) == DType::f32));
  BOOST_TEST((wider(DType::f16, DType::f32) == DType::f32));
  BOOST_TEST((wider(DType::f8e4m3, DType::bf16) == DType::bf16));
  TileLoopBench bench(tiles_of(kTile), {gemm_op(dense_tensor(Space::tcm, 0, {4, 4}, DType::f32),
                                                b_in(Space::tcm, 4, 4), out_in(Space::tcm, 4, 4))});
  bench.run();
  BOOST_TEST((bench.bench.stage("GEMM 0/0/0").dtype == DType::f32));
}

// --- Tile-scoped ops ---

BOOST_AUTO_TEST_CASE(k_tile_ops_follow_every_gemm_and_the_next_gemm_waits_for_them) {
  const OpSpec gemm = gemm_in_tcm(4, 8, 4);
  TileLoopBench bench(tiles_of(kTile), {gemm, relu_of(gemm, Scope::k_tile)});
  bench.begin();
  bench.end(fetches("0/0/0"));
  bench.end(fetches("0/0/1"));
  bench.end("GEMM 0/0/0");
  BOOST_TEST(bench.waiting() == "MATH relu 0/0/0");
  bench.end("MATH relu 0/0/0");
  BOOST_TEST(bench.waiting() == "GEMM 0/0/1");
  bench.end("GEMM 0/0/1");
  BOOST_TEST(bench.waiting() == "MATH relu 0/0/1");
  bench.end("MATH relu 0/0/1");
  BOOST_TEST(bench.waiting() == "STORE 0/0/1");
}

BOOST_AUTO_TEST_CASE(output_tile_ops_follow_the_last_gemm_of_their_tile_in_order_then_store) {
  const OpSpec gemm = gemm_in_tcm(4, 8, 4);
  TileLoopBench bench(tiles_of(kTile),
                      {gemm, add_other(gemm, in_tcm(0x4000, {4, 4})), relu_of(gemm, Scope::output_tile)});
  bench.run();
  BOOST_TEST(bench.bench.all() ==
             "FETCH a 0/0/0, FETCH b 0/0/0, FETCH a 0/0/1, GEMM 0/0/0, FETCH b 0/0/1, GEMM 0/0/1, "
             "FETCH add 0/0/1, MATH add 0/0/1, MATH relu 0/0/1, STORE 0/0/1");
}

BOOST_AUTO_TEST_CASE(k_tile_ops_of_the_last_step_go_before_output_tile_ops) {
  const OpSpec gemm = gemm_in_tcm(4, 4, 4);
  const OpSpec negate = op(Opcode::neg, {*gemm.out}, *gemm.out, {}, Scope::k_tile);
  TileLoopBench bench(tiles_of(kTile), {gemm, relu_of(gemm, Scope::output_tile), negate});
  bench.run();
  BOOST_TEST(bench.bench.all() ==
             "FETCH a 0/0/0, FETCH b 0/0/0, GEMM 0/0/0, MATH neg 0/0/0, MATH relu 0/0/0, STORE 0/0/0");
}

BOOST_AUTO_TEST_CASE(a_tile_op_fetches_its_other_operand_only_and_stores_nothing) {
  const OpSpec gemm = gemm_in_tcm(5, 4, 6);
  TileLoopBench bench(tiles_of(kTile), {gemm, add_other(gemm, in_tcm(0x4000, {5, 6}, DType::f16)),
                                        add_other(gemm, in_tcm(0x5000, {6}))});
  bench.run();
  // The last tile has 1 x 2 elements: 4 bytes of the f16 matrix, and 8 of the f32 vector of a value a column.
  std::vector<Stage> of_ops;
  for (const Stage& stage : bench.bench.history())
    if (stage.op_index != 0 && stage.tile.m == 1 && stage.tile.n == 1) of_ops.push_back(stage);
  BOOST_TEST_REQUIRE(of_ops.size() == 4U);
  BOOST_TEST(of_ops[0].bytes == 4U);
  BOOST_TEST(of_ops[2].bytes == 8U);
  BOOST_TEST(of_ops[1].elements == 2U);
  BOOST_TEST(of_ops[3].elements == 2U);
  BOOST_TEST(bench.bench.all_of(StageKind::store).size() == 4U);  // one a tile
}

// O += P.V: the old tile is read before the new one is stored.
BOOST_AUTO_TEST_CASE(adding_to_the_out_reads_the_old_tile_before_the_store) {
  const OpSpec gemm = gemm_in_tcm(4, 4, 8);
  TileLoopBench bench(tiles_of(kTile), {gemm, add_other(gemm, *gemm.out)});
  bench.begin();
  bench.end(fetches("0/0/0"));
  bench.end("GEMM 0/0/0");
  BOOST_TEST(bench.waiting() == "FETCH a 0/1/0, FETCH add 0/0/0");
  bench.end("FETCH add 0/0/0");
  bench.end("MATH add 0/0/0");
  BOOST_TEST(bench.waiting() == "FETCH a 0/1/0, STORE 0/0/0");
}

// --- Output tiles ---

BOOST_AUTO_TEST_CASE(the_first_gemm_of_an_output_tile_waits_for_the_store_of_the_tile_before) {
  TileLoopBench bench(tiles_of(kTile), {gemm_in_tcm(4, 4, 8)});
  bench.begin();
  bench.end(fetches("0/0/0"));
  bench.end(fetches("0/1/0"));
  bench.end("GEMM 0/0/0");
  BOOST_TEST(bench.waiting() == "STORE 0/0/0");
  bench.end("STORE 0/0/0");
  BOOST_TEST(bench.waiting() == "GEMM 0/1/0");
}

BOOST_AUTO_TEST_CASE(each_output_tile_is_stored_once_after_its_last_k) {
  TileLoopBench bench(tiles_of(kTile), {gemm_in_tcm(8, 12, 8)});
  bench.run();
  std::string stores;
  for (const Stage& stage : bench.bench.all_of(StageKind::store)) stores += text_of(stage) + ", ";
  BOOST_TEST(stores == "STORE 0/0/2, STORE 0/1/2, STORE 1/0/2, STORE 1/1/2, ");
  BOOST_TEST(bytes_of(bench.bench.all_of(StageKind::store)) == 256U);  // 8 * 8 * 4
  BOOST_TEST(bench.bench.all_of(StageKind::dma_write).empty());
  BOOST_TEST(bench.bench.all_of(StageKind::gemm).size() == 12U);
}

BOOST_AUTO_TEST_CASE(an_out_in_hbm_is_written_after_its_store_and_the_loop_is_done_after_the_last_write) {
  TileLoopBench bench(tiles_of(kTile), {gemm_to_hbm(4, 4, 4)});
  bench.begin();
  bench.end(fetches("0/0/0"));
  bench.end("GEMM 0/0/0");
  BOOST_TEST(bench.waiting() == "STORE 0/0/0");
  bench.end("STORE 0/0/0");
  BOOST_TEST(bench.waiting() == "DMA_WRITE 0/0/0");
  BOOST_TEST(!bench.loop.done());
  bench.end("DMA_WRITE 0/0/0");
  BOOST_TEST(bench.loop.done());
}

BOOST_AUTO_TEST_CASE(out_slots_bound_the_tiles_on_their_way_to_hbm) {
  TileLoopBench bench(tiles_of(kTile, 2), {gemm_to_hbm(4, 4, 16)});  // four output tiles
  bench.begin();
  for (const std::string tile : {"0/0/0", "0/1/0"}) {
    bench.end(fetches(tile));
    bench.end("GEMM " + tile);
    bench.end("STORE " + tile);
  }
  bench.end(fetches("0/2/0"));
  bench.end("GEMM 0/2/0");
  BOOST_TEST(bench.waiting() == "DMA_WRITE 0/0/0, DMA_WRITE 0/1/0, FETCH a 0/3/0");
  bench.end("DMA_WRITE 0/0/0");
  BOOST_TEST(bench.waiting() == "DMA_WRITE 0/1/0, FETCH a 0/3/0, STORE 0/2/0");
}

// m, n = 40, 72 in tiles of 32: C has rows of 80 elements, the last 8 of which belong to somebody else.
BOOST_AUTO_TEST_CASE(partial_tiles_write_every_byte_of_the_out_once_and_no_other) {
  TensorHandle c = dense_tensor(Space::hbm, 0x8000, {40, 72}, DType::f16);
  c.strides = {80, 1};
  TileLoopBench bench(tiles_of({32, 32, 32}),
                      {gemm_op(a_in(Space::tcm, 40, 32), b_in(Space::tcm, 32, 72), c)});
  bench.run();
  std::string sizes;
  std::set<std::uint64_t> written;
  std::uint64_t bytes = 0;
  for (const Stage& stage : bench.bench.all_of(StageKind::dma_write)) {
    sizes += std::to_string(stage.bytes) + " ";
    for (const std::uint64_t address : addresses_of(stage.access)) {
      written.insert(address);
      ++bytes;
      BOOST_TEST_REQUIRE((address - 0x8000) % 160 < 144U);  // 72 of 80 elements
    }
  }
  BOOST_TEST(sizes == "2048 2048 512 512 512 128 ");
  BOOST_TEST(bytes == 5760U);
  BOOST_TEST(written.size() == 5760U);
}

// --- No work ---

BOOST_AUTO_TEST_CASE(without_k_tiles_are_stored_with_their_epilogue_and_nothing_is_read_or_multiplied) {
  const OpSpec gemm = gemm_from_hbm(4, 0, 8);
  TileLoopBench bench(tiles_of(kTile), {gemm, relu_of(gemm, Scope::k_tile), add_other(gemm, *gemm.out)});
  bench.run();
  BOOST_TEST(bench.bench.all() ==
             "FETCH add 0/0/0, MATH add 0/0/0, STORE 0/0/0, FETCH add 0/1/0, MATH add 0/1/0, STORE 0/1/0");
  BOOST_TEST(bench.loop.done());
}

BOOST_AUTO_TEST_CASE(without_rows_or_columns_the_loop_is_done_at_once) {
  for (const OpSpec& gemm : {gemm_from_hbm(0, 4, 4), gemm_to_hbm(4, 4, 0)}) {
    TileLoopBench bench(tiles_of(kTile), {gemm, relu_of(gemm, Scope::output_tile)});
    bench.begin();
    BOOST_TEST(bench.waiting() == "");
    BOOST_TEST(bench.loop.done());
  }
}

// --- What stages say about themselves ---

BOOST_AUTO_TEST_CASE(stage_numbers_are_unique_and_follow_the_plan) {
  const OpSpec gemm = gemm_op(a_in(Space::hbm, 5, 6), b_in(Space::hbm, 6, 7), out_in(Space::hbm, 5, 7));
  TileLoopBench bench(tiles_of(kTile),
                      {gemm, relu_of(gemm, Scope::k_tile), add_other(gemm, in_tcm(0x4000, {5, 7}))});
  bench.run();
  std::map<std::uint64_t, std::uint64_t> step_of_number;
  for (const Stage& stage : bench.bench.history()) {
    BOOST_TEST(stage.command == TileLoopBench::kCommand);
    BOOST_TEST(stage.run == TileLoopBench::kRun);
    BOOST_TEST(stage.number >= TileLoopBench::kFirstNumber);
    BOOST_TEST(stage.number < TileLoopBench::kFirstNumber + bench.loop.numbers());
    step_of_number[stage.number] = stage.step;
  }
  BOOST_TEST(step_of_number.size() == bench.bench.history().size());
  std::uint64_t step = 0;
  for (const auto& [number, its_step] : step_of_number) {
    BOOST_TEST(its_step >= step);
    step = its_step;
  }
}

BOOST_AUTO_TEST_CASE(streamed_tiles_go_through_their_staging_slot) {
  const OpSpec gemm = gemm_op(a_in(Space::tcm, 4, 8), b_in(Space::hbm, 8, 4), out_in(Space::hbm, 4, 4));
  TileLoopBench bench(tiles_of(kTile), {gemm});
  bench.run();
  const auto ranges = [&](const char* text) {
    return ranges_of(bench.loop.views_of(bench.bench.stage(text)));
  };
  const std::uint64_t slot = bench.staging.operand_address(TileLoopBench::kRun, 1, 1);
  const std::uint64_t out_slot = bench.staging.out_address(TileLoopBench::kRun, 0);
  // Rows 4 to 7 of b are 32 bytes from 0x2020; columns 4 to 7 of a's rows of 16 bytes end at 0x1000 + 3*16
  // + 16.
  BOOST_TEST((ranges("DMA_READ b 0/0/1").reads[0] == ByteRange{Space::hbm, 0x2020, 0x2040}));
  BOOST_TEST((ranges("DMA_READ b 0/0/1").writes[0] == ByteRange{Space::tcm, slot, slot + 32}));
  BOOST_TEST((ranges("FETCH b 0/0/1").reads[0] == ByteRange{Space::tcm, slot, slot + 32}));
  BOOST_TEST((ranges("FETCH a 0/0/1").reads[0] == ByteRange{Space::tcm, 0x1008, 0x1040}));
  BOOST_TEST((ranges("STORE 0/0/1").writes[0] == ByteRange{Space::tcm, out_slot, out_slot + 64}));
  BOOST_TEST((ranges("DMA_WRITE 0/0/1").reads[0] == ByteRange{Space::tcm, out_slot, out_slot + 64}));
  BOOST_TEST((ranges("DMA_WRITE 0/0/1").writes[0] == ByteRange{Space::hbm, 0x3000, 0x3040}));
  BOOST_TEST(ranges("GEMM 0/0/1").read_count == 0U);
  BOOST_TEST(ranges("GEMM 0/0/1").write_count == 0U);
}

BOOST_AUTO_TEST_CASE(a_store_to_tcm_and_an_epilogue_fetch_name_their_tile) {
  const OpSpec gemm = gemm_in_tcm(4, 4, 8);
  TileLoopBench bench(tiles_of(kTile), {gemm, add_other(gemm, *gemm.out)});
  bench.run();
  // Columns 4 to 7 of rows of 32 bytes: 0x3010 to 0x3000 + 3*32 + 32.
  const ByteRange tile{Space::tcm, 0x3010, 0x3080};
  BOOST_TEST((ranges_of(bench.loop.views_of(bench.bench.stage("FETCH add 0/1/0"))).reads[0] == tile));
  BOOST_TEST((ranges_of(bench.loop.views_of(bench.bench.stage("STORE 0/1/0"))).writes[0] == tile));
}

BOOST_AUTO_TEST_SUITE_END()
